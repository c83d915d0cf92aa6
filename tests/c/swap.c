// A flag that is taken by compare-and-swap is a lock; without the loop it need not be taken.
// expect: taken atomic
// expect: perhaps violated
// race: 19 31
#include "two.h"

#include <stdatomic.h>

static atomic_int flag, other;
static int n, m;

static void first(void) {
  ATOMIC_BEGIN("taken");
  int expected = 0;
  while (!atomic_compare_exchange_weak(&flag, &expected, 1)) expected = 0;
  n++;
  atomic_store(&flag, 0);
  ATOMIC_END();
  m = 1;
  atomic_store(&other, 0);
}

static void second(void) {
  int expected = 0;
  while (!atomic_compare_exchange_strong(&flag, &expected, 1)) expected = 0;
  n++;
  atomic_store(&flag, 0);
  ATOMIC_BEGIN("perhaps");
  expected = 0;
  (void)atomic_compare_exchange_strong(&other, &expected, 1);
  m++;
  ATOMIC_END();
}
