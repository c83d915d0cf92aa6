// What is indexed by something unknown is one object with all of its array; what has a known index is one of its own.
// expect: known atomic
// expect: unknown violated
// race: 16 23
// race: 17 23
#include "two.h"

static int known[4], unknown[4];

static void first(void) {
  ATOMIC_BEGIN("known");
  known[0] = 1;
  known[0] = 2;
  ATOMIC_END();
  ATOMIC_BEGIN("unknown");
  unknown[0] = 1;
  unknown[0] = 2;
  ATOMIC_END();
}

static void second(void) {
  known[1] = 3;
  for (int i = 0; i < 4; i++) unknown[i] = i;
}
