/* The last array of a structure may go on behind it, where memory is allocated for that. */
// expect: own violated
// race: 17 25
// race: 18 25
#include <causal.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct {
  int n, items[2];
} Store;

static void *first(void *arg) {
  Store *store = arg;
  const int random = rand();
  ATOMIC_BEGIN("own");
  store[0].items[random]++;
  store[0].items[random]++;
  ATOMIC_END();
  return NULL;
}

static void *second(void *arg) {
  Store *store = arg;
  store[1].n++;
  return NULL;
}

int main(void) {
  Store *stores = malloc(2 * sizeof *stores);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, stores);
  pthread_create(&threads[1], NULL, second, stores);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
