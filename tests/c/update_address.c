// An address in memory that something is added to, in one, leads elsewhere in its object.
// expect: added violated
// expect: masked violated
// race: 20 31
// race: 21 31
// race: 26 31
// race: 27 31
#include "two.h"

#include <stdatomic.h>
#include <stdint.h>

static int a[4], b[4], y;
static _Atomic(int *) at = &a[0];
static _Atomic uintptr_t bits;

static void first(void) {
  atomic_fetch_add(&at, 1);
  ATOMIC_BEGIN("added");
  *at = 1;
  *at = 2;
  ATOMIC_END();
  atomic_store(&bits, (uintptr_t)&b[1]);
  atomic_fetch_and(&bits, ~(uintptr_t)7);
  ATOMIC_BEGIN("masked");
  *(int *)bits = 1;
  *(int *)bits = 2;
  ATOMIC_END();
}

static void second(void) { y = a[1] + b[0]; }
