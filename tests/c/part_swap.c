// Two buffers change their places after each step.
// expect: step atomic
#include <causal.h>

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 2, N = 64 };

static double first[N], second[N];
static pthread_barrier_t barrier;

static void *work(void *argument) {
  const long me = (long)argument;
  double *from = first, *to = second;
  for (int step = 0; step < 10; step++) {
    ATOMIC_BEGIN("step");
    for (long i = me * N / THREADS; i < (me + 1) * N / THREADS; i++) to[i] = from[(i + 1) % N] + from[i];
    ATOMIC_END();
    pthread_barrier_wait(&barrier);
    double *const before = from;
    from = to;
#ifndef WRONG
    to = before;
#endif
    (void)before;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (long i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, (void *)i)) return 1;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
