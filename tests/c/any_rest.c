// The last thread takes what is left.
// expect: scale atomic
#include "any.h"

#ifndef LAST
#define LAST (all - 1)
#endif

static void work(int me, int all) {
  const int chunk = size / all, from = me * chunk, to = me == LAST ? size : from + chunk;
  ATOMIC_BEGIN("scale");
  for (int i = from; i < to; i++) data[i] = 2 * data[i] + 1;
  ATOMIC_END();
}
