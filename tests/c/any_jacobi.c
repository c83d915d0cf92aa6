// Two arrays that change their places in each round, with a barrier that waits for all threads.
// expect: step atomic
#include "any.h"

#ifndef WAIT
#define WAIT() pthread_barrier_wait(&barrier)
#endif

static void work(int me, int all) {
  const int chunk = size / all, from = me * chunk, to = from + chunk;
  double *now = data, *next = other;
  for (int round = 0; round < 10; round++) {
    ATOMIC_BEGIN("step");
    for (int i = from; i < to; i++)
      if (i > 0 && i < size - 1) next[i] = (now[i - 1] + now[i] + now[i + 1]) / 3;
    ATOMIC_END();
    WAIT();
    double *const swap = now;
    now = next;
    next = swap;
  }
}
