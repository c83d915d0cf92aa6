// Of a function that is not known nothing is known.
// expect: add unknown
// gap: 12 calls 'mystery', which is not known
#include "two.h"

void mystery(int *n);
static int n;

static void first(void) {
  ATOMIC_BEGIN("add");
  n++;
  mystery(&n);
  ATOMIC_END();
}

static void second(void) {}
