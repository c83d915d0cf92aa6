// The address of an array that becomes that of another one.
// expect: grown violated
// race: 24 42
// race: 25 25
// race: 25 42
// race: 26 26
// race: 26 42
// race: 27 42
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

typedef struct {
  pthread_mutex_t lock;
  int a, b;
} Account;

static Account *grown;
static int n;

static void do_grown(int i) {
  ATOMIC_BEGIN("grown");
  pthread_mutex_lock(&grown[i].lock);
  grown[i].a++;
  grown[i].b++;
  pthread_mutex_unlock(&grown[i].lock);
  ATOMIC_END();
}

static void *run(void *unused) {
  do_grown(rand() % n);
  return unused;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  if (argc != 2) return 3;
  n = atoi(argv[1]);
  grown = calloc((size_t)n, sizeof(Account));
  if (pthread_create(&a, NULL, run, NULL) || pthread_create(&b, NULL, run, NULL)) return 1;
  grown = calloc((size_t)n * 2, sizeof(Account));
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
