// Shares of the rows of a square matrix that is one array: its length is a factor of where they begin, and of the rows.
// expect: fill atomic
#include "any.h"

#ifndef WIDE
#define WIDE int
#endif
#ifndef LAST
#define LAST (size - 1)
#endif

static void work(int me, int all) {
  const int from = me * size / all, to = (me + 1) * size / all;
  ATOMIC_BEGIN("fill");
  for (int i = from; i < to; i++)
    for (int j = 0; j <= LAST; j++) data[(WIDE)i * size + j] += 1;
  ATOMIC_END();
}
