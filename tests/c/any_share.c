// Shares by quotients of products.
// expect: scale atomic
#include "any.h"

#ifndef FIRST
#define FIRST(me, all) ((int)((long long)size * (me) / (all)))
#endif

static void work(int me, int all) {
  const int from = FIRST(me, all), to = (int)((long long)size * (me + 1) / all);
  ATOMIC_BEGIN("scale");
  for (int i = from; i < to; i++) data[i] = 2 * data[i] + 1;
  ATOMIC_END();
}
