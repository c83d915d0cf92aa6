// The multiples of each number that lie in a part; the first one is a quotient that is rounded up, times the number.
// expect: sieve atomic
#include "any.h"

#ifndef BEFORE
#define BEFORE 1
#endif

static void work(int me, int all) {
  const int from = me * (size / all), to = from + size / all;
  ATOMIC_BEGIN("sieve");
  for (int p = 2; p * p < size; p++)
    for (int m = (from + p - BEFORE) / p * p; m < to; m += p) data[m] = 1;
  ATOMIC_END();
}
