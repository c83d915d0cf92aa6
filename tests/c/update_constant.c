/* Addresses that an atomic operation puts together with what was there: of constants, and of variables. */
// expect: added violated
// expect: exchanged violated
// expect: other violated
// expect: put violated
// expect: taken violated
// race: 28 36
// race: 29 36
// race: 30 36
// race: 31 36
// race: 32 36
#include "two.h"

#include <stdint.h>

static long added, exchanged, other, put, taken;
static uintptr_t places[5];

#define DO(x)         \
  do {                \
    ATOMIC_BEGIN(#x); \
    x++;              \
    x++;              \
    ATOMIC_END();     \
  } while (0)

static void first(void) {
  DO(added);
  DO(exchanged);
  DO(other);
  DO(put);
  DO(taken);
}

static void change(uintptr_t place) {
  if (place) ++*(long *)place;
}

static void second(void) {
  uintptr_t it = (uintptr_t)&other;
  __atomic_fetch_add(&places[0], (uintptr_t)&added, __ATOMIC_SEQ_CST);
  change(places[0]);
  __atomic_exchange_n(&places[1], (uintptr_t)&exchanged, __ATOMIC_SEQ_CST);
  change(places[1]);
  __atomic_fetch_or(&places[2], it, __ATOMIC_SEQ_CST);
  change(places[2]);
  places[3] = 0;
  __atomic_fetch_xor(&places[3], (uintptr_t)&put, __ATOMIC_SEQ_CST);
  change(places[3]);
  change(__atomic_or_fetch(&places[4], (uintptr_t)&taken, __ATOMIC_SEQ_CST));
}
