// Each part begins where the last one has ended; the first ones are one longer.
// expect: scale atomic
#ifndef Q
#define Q n / threads
#endif
#ifndef MORE
#define MORE (t < n % threads)
#endif
#ifndef FIRST
#define FIRST at
#endif
#define PREPARE T at = 0
#define FROM FIRST
#define TO (at += Q + MORE)
#include "size.h"

static void work(double *v, T from, T to) {
  ATOMIC_BEGIN("scale");
  for (T i = from; i < to; i++) v[i] = 2 * v[i] + 1;
  ATOMIC_END();
}
