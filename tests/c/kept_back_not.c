// Nodes with the address of another bucket, which is stored, or copied.
// expect: copied violated
// expect: other violated
// race: 11 12
// race: 12 12
// race: 14 14
// race: 14 15
// race: 15 15
#include "owners.h"

TABLE(other, NO_INITIAL, n->owner = o)
BLOCK(other, TWICE(n->owner))

TABLE(copied, NO_INITIAL, o->self = o; memcpy(&n->owner, &o->self, sizeof o))
BLOCK(copied, TWICE(n->owner))

static void work(void) {
  BOTH(other);
  BOTH(copied);
}

static void first(void) { work(); }
static void second(void) { work(); }
