// A function that is called again and again creates the threads, all of which are joined.
// expect: all atomic
// expect: own atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef BEFORE
#define BEFORE (void)0
#endif

enum { MOST = 100 };

static double data[MOST];
static pthread_t threads[MOST];

static void *run(void *argument) {
  ATOMIC_BEGIN("own");
  data[(long)argument] += 1;
  data[(long)argument] += 1;
  ATOMIC_END();
  return NULL;
}

static void start(long t) {
  BEFORE;
  if (pthread_create(&threads[t], NULL, run, (void *)t)) exit(3);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 3;
  for (long t = 0; t < n; t++) start(t);
  for (long t = 0; t < n; t++) pthread_join(threads[t], NULL);
  ATOMIC_BEGIN("all");
  for (long t = 0; t < n; t++) data[t] += 1;
  for (long t = 0; t < n; t++) data[t] += 1;
  ATOMIC_END();
  return 0;
}
