// The rest of a number that is less than what it is divided by is that number.
// expect: add atomic
#include "any.h"

#ifndef SLOT
#define SLOT me
#endif
#ifndef ALL
#define ALL all
#endif

static void work(int me, int all) {
  ATOMIC_BEGIN("add");
  data[SLOT % ALL] += 1;
  data[SLOT % ALL] += 1;
  ATOMIC_END();
}
