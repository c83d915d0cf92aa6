// Buckets that are computed from a node's owner.
// expect: next violated
// expect: walked violated
// race: 10 11
// race: 11 11
// race: 13 14
// race: 14 14
#include "owners.h"

TABLE(next, NO_INITIAL, )
BLOCK(next, TWICE(n->owner + 1))

TABLE(walked, NO_INITIAL, b->self = o)
BLOCK(walked, TWICE(n->owner->self))

static void work(void) {
  BOTH(next);
  BOTH(walked);
}

static void first(void) { work(); }
static void second(void) { work(); }
