// What is done before a barrier is over when others come out of it.
// expect: before atomic
// expect: after atomic
#include "two.h"

static pthread_barrier_t barrier;
static int a, b, sum;
static int started;

static void first(void) {
  if (pthread_barrier_init(&barrier, NULL, 2)) return;
  ATOMIC_BEGIN("before");
  a = 1;
  a = 2;
  ATOMIC_END();
  pthread_barrier_wait(&barrier);
  b = 3;
}

static void second(void) {
  pthread_barrier_wait(&barrier);
  ATOMIC_BEGIN("after");
  a = a + 1;
  ATOMIC_END();
}
