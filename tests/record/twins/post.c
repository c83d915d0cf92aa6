/* What is handed over with a semaphore; the twin writes it again after that.
 * count 1: \|sig\(&full\)
 * count 1: \|wait\(&full\)
 * not: \|(acq|rel)\(
 */
#include "twin.h"

#include <semaphore.h>

static sem_t full;
static int value;

static int twice(void) {
  ATOMIC_BEGIN("twice");
  const int sum = value + *(volatile int *)&value;
  ATOMIC_END();
  return sum;
}

static void *first(void *argument) {
  sem_wait(&full);
  usleep(30000);
  return twice() == 2 ? argument : NULL;
}

static void *second(void *argument) {
  value = 1;
  sem_post(&full);
  BROKEN(value = 1;)
  return argument;
}

int main(void) {
  sem_init(&full, 0, 0);
  run_both();
  return 0;
}
