// Where a counter may be below 0, or above what is followed, its value is not known; nor where it is not known what is
// added, or another value is swapped in.
// expect: above violated
// expect: back violated
// expect: below violated
// expect: some violated
// expect: swapped violated
// expect: wrapped violated
// race: 26 26
// race: 29 29
// race: 38 55
// race: 41 55
// race: 44 57
// race: 47 59
#include "two.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_int above, back = 1, below, some = 2, swapped = 1;
static _Atomic unsigned char wrapped;
static int a, b, c, d, e, f;

static void both(void) {
  ATOMIC_BEGIN("some");
  if (atomic_fetch_sub(&some, 1) == 1) d++, d++;
  ATOMIC_END();
  ATOMIC_BEGIN("swapped");
  if (atomic_fetch_sub(&swapped, 1) == 1) e++, e++;
  ATOMIC_END();
  atomic_fetch_add(&above, 9);
  for (int i = 0; i < 20; i++) atomic_fetch_add(&back, 1);
}

static void first(void) {
  both();
  ATOMIC_BEGIN("above");
  if (atomic_fetch_sub(&above, 9) == 18) a = 1, a = 2;
  ATOMIC_END();
  ATOMIC_BEGIN("back");
  if (atomic_fetch_sub(&back, 15) == 16) b = 1, b = 2;
  ATOMIC_END();
  ATOMIC_BEGIN("below");
  if (atomic_fetch_add(&below, 1) < 0) c = 1, c = 2;
  ATOMIC_END();
  ATOMIC_BEGIN("wrapped");
  if (atomic_fetch_sub(&wrapped, 2) == 255) f = 1, f = 2;
  ATOMIC_END();
}

static void second(void) {
  int none = 0;
  atomic_compare_exchange_strong(&swapped, &none, 1);
  both();
  a = b = 3;
  atomic_fetch_sub(&below, 1);
  c = 3;
  atomic_fetch_sub(&wrapped, 1);
  f = 3;
  atomic_fetch_add(&some, rand());
}
