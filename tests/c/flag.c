// A flag with constant values is followed: nobody reads before it is set. Reading it again and again is a wait.
// expect: make atomic
// expect: use atomic
#include "two.h"

#include <stdatomic.h>

static atomic_int ready;
static int a, b;

static void first(void) {
  ATOMIC_BEGIN("make");
  a = 1;
  b = 2;
  atomic_store(&ready, 1);
  ATOMIC_END();
}

static void second(void) {
  while (!atomic_load(&ready)) {}
  ATOMIC_BEGIN("use");
  a = a + b;
  ATOMIC_END();
}
