// Sizes that nobody knows, in parts of the same length; the last thread takes what is left.
// expect: scale atomic
#ifndef LAST
#define LAST n
#endif
#ifndef BEFORE
#define BEFORE <
#endif
#ifndef FROM
#define FROM t *chunk
#endif
#define PREPARE const T chunk = n / threads
#define TO t + 1 == threads ? LAST : (t + 1) * chunk
#include "size.h"

static void work(double *v, T from, T to) {
  ATOMIC_BEGIN("scale");
  for (T i = from; i BEFORE to; i++) v[i] = 2 * v[i] + 1;
  ATOMIC_END();
}
