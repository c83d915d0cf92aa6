// The first threads take one more of what is left.
// expect: scale atomic
#ifndef MORE
#define MORE t < r
#endif
#ifndef REST
#define REST n % threads
#endif
#define PREPARE const T q = n / threads, r = REST
#define FROM t *q + (t < r ? t : r)
#define TO args[t].from + q + (MORE)
#include "size.h"

static void work(double *v, T from, T to) {
  ATOMIC_BEGIN("scale");
  for (T i = from; i < to; i++) v[i] = 2 * v[i] + 1;
  ATOMIC_END();
}
