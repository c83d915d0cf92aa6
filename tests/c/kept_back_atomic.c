// Nodes to whose owner something is added, or that are given another one, in one.
// expect: added violated
// expect: exchanged violated
// expect: swapped violated
// race: 17 18
// race: 18 18
// race: 20 20
// race: 20 21
// race: 21 21
// race: 14 15
// race: 15 15
#include "owners.h"

TABLE(exchanged, NO_INITIAL, __atomic_exchange_n(&n->owner, o, __ATOMIC_SEQ_CST))
BLOCK(exchanged, TWICE(n->owner))

TABLE(added, NO_INITIAL, __atomic_fetch_add((long *)&n->owner, (long)sizeof(Bucket), __ATOMIC_SEQ_CST))
BLOCK(added, TWICE(n->owner))

TABLE(swapped, NO_INITIAL, __atomic_compare_exchange_n(&n->owner, &b, o, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
BLOCK(swapped, TWICE(n->owner))

static void work(void) {
  BOTH(exchanged);
  BOTH(added);
  BOTH(swapped);
}

static void first(void) { work(); }
static void second(void) { work(); }
