// A flag that may have any value is not.
// expect: make violated
// race: 15 23
// race: 16 23
#include "two.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready;
static int a, b;

static void first(void) {
  ATOMIC_BEGIN("make");
  a = 1;
  b = 2;
  atomic_store(&ready, rand());
  ATOMIC_END();
}

static void second(void) {
  while (!atomic_load(&ready)) {}
  a = a + b;
}
