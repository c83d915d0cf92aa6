// Parts of the same length, rounded up, that end where the array does.
// expect: scale atomic
#ifndef LENGTH
#define LENGTH chunk
#endif
#ifndef ROUND
#define ROUND (n + threads - 1) / threads
#endif
#define PREPARE const T chunk = ROUND
#define FROM t *chunk
#define TO t *chunk + LENGTH < n ? t *chunk + LENGTH : n
#include "size.h"

static void work(double *v, T from, T to) {
  ATOMIC_BEGIN("scale");
  for (T i = from; i < to; i++) v[i] = 2 * v[i] + 1;
  ATOMIC_END();
}
