// Parts that are gone through from their ends on.
// expect: scale atomic
#define PREPARE const T chunk = n / threads
#define FROM t *chunk
#define TO (t + 1) * chunk
#ifndef INDEX
#define INDEX i - 1
#endif
#include "size.h"

static void work(double *v, T from, T to) {
  ATOMIC_BEGIN("scale");
  for (T i = to; i > from; i--) v[INDEX] = 2 * v[INDEX] + 1;
  for (T i = to; i-- > from;) v[i] *= 2;
  ATOMIC_END();
}
