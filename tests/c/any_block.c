// Blocks of the same length, but for the last one.
// expect: scale atomic
#include "any.h"

#ifndef END
#define END(from, chunk) ((from) + (chunk))
#endif

static void work(int me, int all) {
  const int chunk = (size + all - 1) / all, from = me * chunk, end = END(from, chunk), to = end < size ? end : size;
  ATOMIC_BEGIN("scale");
  for (int i = from; i < to; i++) data[i] = 2 * data[i] + 1;
  ATOMIC_END();
}
