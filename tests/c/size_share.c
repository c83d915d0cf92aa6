// Shares by quotients of products of more bits.
// expect: scale atomic
#define T unsigned
#ifndef WIDE
#define WIDE unsigned long long
#endif
#define PREPARE (void)0
#define FROM (T)((WIDE)n * t / threads)
#define TO (T)((WIDE)n * (t + 1) / threads)
#include "size.h"

static void work(double *v, T from, T to) {
  ATOMIC_BEGIN("scale");
  for (T i = from; i < to; i++) v[i] = 2 * v[i] + 1;
  ATOMIC_END();
}
