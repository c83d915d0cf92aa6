// A recursive function may run any number of times, and so may what it does.
// expect: sum violated
// expect: alone atomic
// race: 10 25
#include "two.h"

static int n, m;

static void sum(int depth) {
  n++;
  if (depth) sum(depth - 1);
  m = 1;
}

static void first(void) {
  ATOMIC_BEGIN("sum");
  sum(1);
  ATOMIC_END();
  ATOMIC_BEGIN("alone");
  m = 2;
  m = 3;
  ATOMIC_END();
}

static void second(void) { n = 5; }
