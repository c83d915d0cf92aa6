// A place for the result of each thread.
// expect: add atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 3, N = 99 };

#ifdef WRONG
#define SLOT (me / 2)
#else
#define SLOT me
#endif

static long sums[THREADS];
static int values[N];

static void *work(void *argument) {
  const long me = (long)argument;
  ATOMIC_BEGIN("add");
  for (int i = 0; i < N; i++) sums[SLOT] += values[i];
  ATOMIC_END();
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, (void *)i)) return 1;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
