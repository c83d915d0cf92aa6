// Every so many, as there are threads.
// expect: scale atomic
#include "any.h"

#ifndef STEP
#define STEP(all) (all)
#endif

static void work(int me, int all) {
  ATOMIC_BEGIN("scale");
  for (int i = me; i < size; i += STEP(all)) data[i] = 2 * data[i] + 1;
  ATOMIC_END();
}
