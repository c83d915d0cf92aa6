// An end that is changed once it is in the table.
// expect: scale atomic
#define PREPARE const T chunk = (n + threads - 1) / threads
#define FROM t *chunk
#define TO args[t].from + chunk
#ifndef CHANGE
#define CHANGE \
  if (args[t].to > n) args[t].to = n
#endif
#include "size.h"

static void work(double *v, T from, T to) {
  ATOMIC_BEGIN("scale");
  for (T i = from; i < to; i++) v[i] = 2 * v[i] + 1;
  ATOMIC_END();
}
