// Nodes with the address of another bucket, found in one of its nodes, or put there if it is not another one.
// expect: swapped violated
// expect: taken violated
// race: 12 12
// race: 12 13
// race: 13 13
// race: 15 15
// race: 15 16
// race: 16 16
#include "owners.h"

TABLE(swapped, NO_INITIAL, __atomic_compare_exchange_n(&n->owner, &b, o, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
BLOCK(swapped, TWICE(n->owner))

TABLE(taken, NO_INITIAL, if (o->head) n->owner = o->head->owner)
BLOCK(taken, TWICE(n->owner))

static void work(void) {
  BOTH(swapped);
  BOTH(taken);
}

static void first(void) { work(); }
static void second(void) { work(); }
