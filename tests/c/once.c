// pthread_once runs a function once, and all come back after it.
// expect: use atomic
#include "two.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int a, b;

static void make(void) {
  a = 1;
  b = 2;
}

static int use(void) {
  ATOMIC_BEGIN("use");
  pthread_once(&once, make);
  const int sum = a + b;
  ATOMIC_END();
  return sum;
}

static void first(void) { use(); }
static void second(void) { use(); }
