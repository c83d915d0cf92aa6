// As copy_shifted.c, without a lock: what was copied leads to x and y.
// expect: list violated
// expect: table violated
// race: 35 35
// race: 35 38
// race: 38 38
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };

static int x, y;
static int *table[N];

static void insert(int *first) {
  memmove(table + 1, table, (N - 1) * sizeof *table);
  table[0] = first;
}

/* The first one of a longer list. */
static int *grow(int *first) {
  int **list = malloc(N * sizeof *list);
  list[0] = first;
  for (int i = 0; i < 3; i++) memmove(list + 1, list, (N - 1) * sizeof *list);
  int *found = list[3];
  free(list);
  return found;
}

static void *both(void *unused) {
  ATOMIC_BEGIN("table");
  *table[5] += 1;
  ATOMIC_END();
  ATOMIC_BEGIN("list");
  *grow(&y) += 1;
  ATOMIC_END();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < N; i++) insert(i % 2 ? &x : &y);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, both, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return x + y;
}
