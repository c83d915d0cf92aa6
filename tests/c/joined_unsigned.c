// Numbers of threads without a sign, and a loop in one function.
// expect: sum atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef COUNTER
#define COUNTER unsigned
#endif

static long total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *argument) {
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(int argc, char **argv) {
  const unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 4;
  pthread_t threads[n];
  for (unsigned i = 0; i < n; i++)
    if (pthread_create(threads + i, NULL, run, NULL)) exit(1);
  COUNTER i = 0;
  while (i < (COUNTER)n) {
    void *result;
    if (pthread_join(threads[i], &result)) exit(1);
    i++;
  }
  ATOMIC_BEGIN("sum");
  const long sum = total;
  total = 0;
  ATOMIC_END();
  return sum != n;
}
