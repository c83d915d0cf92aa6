// An address that leads to more than 64 places in a few arrays leads to any of these places, but to nothing else.
// expect: inside violated
// expect: between atomic
// expect: outside atomic
// race: 18 33
// race: 19 33
#include "two.h"

#include <stdlib.h>

#define SEVEN(x, n) &x[n], &x[n + 2], &x[n + 4], &x[n + 6], &x[n + 8], &x[n + 10], &x[n + 12]
#define ALL(x) SEVEN(x, 0), SEVEN(x, 14)
static int a[28], b[28], c[28], d[28], e[28], n;
static int *const all[] = {ALL(a), ALL(b), ALL(c), ALL(d), ALL(e)};

static void first(void) {
  ATOMIC_BEGIN("inside");
  a[4] = 1;
  a[4] = 2;
  ATOMIC_END();
  ATOMIC_BEGIN("between");
  a[5] = 1;
  a[5] = 2;
  ATOMIC_END();
  ATOMIC_BEGIN("outside");
  n = 1;
  n = 2;
  ATOMIC_END();
}

static void second(void) {
  int *p = all[rand() % 70];
  *p = 3;
}
