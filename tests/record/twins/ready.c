/* What is handed over with an atomic store that is waited for; the twin writes it again after that.
 * count 1: \|sig\(&ready\)
 * count 1: \|wait\(&ready\)
 */
#include "twin.h"

static atomic_int ready;
static int value;

static int twice(void) {
  ATOMIC_BEGIN("twice");
  const int sum = value + *(volatile int *)&value;
  ATOMIC_END();
  return sum;
}

static void *first(void *argument) {
  while (!atomic_load(&ready)) sched_yield();
  usleep(30000);
  return twice() == 2 ? argument : NULL;
}

static void *second(void *argument) {
  value = 1;
  atomic_store(&ready, 1);
  BROKEN(value = 1;)
  return argument;
}

int main(void) {
  run_both();
  return 0;
}
