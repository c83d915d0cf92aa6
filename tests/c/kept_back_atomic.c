// Nodes to whose owner something is added, or that are given another one, in one.
// expect: added violated
// expect: exchanged violated
// race: 10 11
// race: 11 11
// race: 13 14
// race: 14 14
#include "owners.h"

TABLE(exchanged, NO_INITIAL, __atomic_exchange_n(&n->owner, o, __ATOMIC_SEQ_CST))
BLOCK(exchanged, TWICE(n->owner))

TABLE(added, NO_INITIAL, __atomic_fetch_add((long *)&n->owner, (long)sizeof(Bucket), __ATOMIC_SEQ_CST))
BLOCK(added, TWICE(n->owner))

static void work(void) {
  BOTH(exchanged);
  BOTH(added);
}

static void first(void) { work(); }
static void second(void) { work(); }
