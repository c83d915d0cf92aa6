// Where the parts begin goes up and down by turns.
// expect: scale violated
// race: 13 13
#define T int
#define PREPARE T at = 0
#define FROM at
#define TO at + 2
#define LATER at += t % 2 ? -3 : 3
#include "size.h"

static void work(double *v, T from, T to) {
  ATOMIC_BEGIN("scale");
  for (T i = from; i < to; i++) v[i] = 2 * v[i] + 1;
  ATOMIC_END();
}
