// Each part begins where the last one has ended; what is added at once, and once more for the first ones.
// expect: scale atomic
#ifndef T
#define T int
#endif
#ifndef COUNT
#define COUNT t
#endif
#define PREPARE T at = 0
#define FROM at
#define TO (at += n / threads)
#define CHANGE \
  if (COUNT < n % threads) at++, args[t].to = at
#include "size.h"

static void work(double *v, T from, T to) {
  ATOMIC_BEGIN("scale");
  for (T i = from; i < to; i++) v[i] = 2 * v[i] + 1;
  ATOMIC_END();
}
