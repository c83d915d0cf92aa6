/* What is handed over with a condition; the twin writes it again after that.
 * count 1: \|sig\(&changed\)
 * count 1: \|wait\(&changed\)
 */
#include "twin.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int value, ready;

static int twice(void) {
  ATOMIC_BEGIN("twice");
  const int sum = value + *(volatile int *)&value;
  ATOMIC_END();
  return sum;
}

static void *first(void *argument) {
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  usleep(30000);
  return twice() == 2 ? argument : NULL;
}

static void *second(void *argument) {
  value = 1;
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  BROKEN(value = 1;)
  return argument;
}

int main(void) {
  run_both();
  return 0;
}
