// A function computes the number of an element twice, of what is at an address.
// expect: add atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef CHANGE
#define CHANGE (void)0
#endif

enum { N = 64, THREADS = 3 };

static pthread_mutex_t locks[N];
static int counts[N];

static unsigned slot(const unsigned *key) { return *key % N; }

static void *run(void *argument) {
  unsigned key = (unsigned)(long)argument;
  pthread_mutex_t *const lock = &locks[slot(&key)];
  pthread_mutex_lock(lock);
  CHANGE;
  int *const count = &counts[slot(&key)];
  ATOMIC_BEGIN("add");
  ++*count;
  ++*count;
  ATOMIC_END();
  pthread_mutex_unlock(lock);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  if (argc != THREADS + 1) return 3;
  for (int i = 0; i < N; i++) pthread_mutex_init(&locks[i], NULL);
  for (int t = 0; t < THREADS; t++)
    if (pthread_create(&threads[t], NULL, run, (void *)atol(argv[t + 1]))) return 3;
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  return 0;
}
