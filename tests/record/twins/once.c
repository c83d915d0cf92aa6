/* What is set up once; the twin looks whether it has been.
 * count 1: \|sig\(&once\)
 * count 1: \|wait\(&once\)
 */
#include "twin.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int ready, value;

static void set_up(void) {
  value = 1;
  ready = 1;
}

static int use(void) {
  ATOMIC_BEGIN("use");
  CORRECT(pthread_once(&once, set_up);)
  BROKEN(if (!ready) set_up();)
  const int sum = value + ready;
  ATOMIC_END();
  return sum;
}

static void *first(void *argument) {
  return use() == 2 ? argument : NULL;
}

static void *second(void *argument) {
  return use() == 2 ? argument : NULL;
}

int main(void) {
  BROKEN((void)once;)
  run_both();
  return 0;
}
