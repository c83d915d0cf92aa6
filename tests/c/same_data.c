// The number of an element is loaded each time that it is used, from what main has filled.
// expect: bin atomic
#include <causal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef CHANGE
#define CHANGE (void)0
#endif
#ifndef BETWEEN
#define BETWEEN (void)0
#endif
#ifndef LATER
#define LATER (void)0
#endif
#ifndef OTHER
#define OTHER i
#endif

enum { BINS = 256, THREADS = 3 };

static pthread_mutex_t locks[BINS];
static int counts[BINS];
static unsigned char *data;
static size_t n;

static void *run(void *argument) {
  const size_t t = (size_t)(long)argument, share = n / THREADS;
  for (size_t i = t * share; i < (t + 1) * share; i++) {
    pthread_mutex_t *const lock = &locks[data[i]];
    pthread_mutex_lock(lock);
    int *const count = &counts[data[OTHER]];
    ATOMIC_BEGIN("bin");
    ++*count;
    ++*count;
    ATOMIC_END();
    pthread_mutex_unlock(lock);
    CHANGE;
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  if (argc != 2) return 3;
  n = strtoul(argv[1], NULL, 10);
  data = malloc(n + 1);
  if (fread(data, 1, n, stdin) != n) return 3;
  for (int i = 0; i < BINS; i++) pthread_mutex_init(&locks[i], NULL);
  for (long t = 0; t < THREADS; t++) {
    BETWEEN;
    if (pthread_create(&threads[t], NULL, run, (void *)t)) return 3;
  }
  LATER;
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  return 0;
}
