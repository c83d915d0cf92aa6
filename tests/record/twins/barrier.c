/* What is written before a barrier, and read after it; the twin has none.
 * count 2: \|sig\(&barrier\)
 * count 2: \|wait\(&barrier\)
 */
#include "twin.h"

static pthread_barrier_t barrier;
static int value;

static int twice(void) {
  ATOMIC_BEGIN("twice");
  const int sum = value + *(volatile int *)&value;
  ATOMIC_END();
  return sum;
}

static void *first(void *argument) {
  value = 1;
  CORRECT(pthread_barrier_wait(&barrier);)
  return argument;
}

static void *second(void *argument) {
  CORRECT(pthread_barrier_wait(&barrier);)
  return twice() == 2 ? argument : NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  run_both();
  return 0;
}
