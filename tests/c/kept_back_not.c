// Nodes with the address of another bucket, which is stored, copied, or there from the start.
// expect: at_start violated
// expect: copied violated
// expect: other violated
// race: 16 17
// race: 17 17
// race: 19 19
// race: 19 20
// race: 20 20
// race: 22 23
// race: 23 23
#include "owners.h"

#define AT_START = {[0] = {.self = &at_start[0]}, [1] = {.self = &at_start[2]}}

TABLE(other, NO_INITIAL, n->owner = o)
BLOCK(other, TWICE(n->owner))

TABLE(copied, NO_INITIAL, o->self = o; memcpy(&n->owner, &o->self, sizeof o))
BLOCK(copied, TWICE(n->owner))

TABLE(at_start, AT_START, n->owner = b->self)
BLOCK(at_start, TWICE(n->owner))

static void work(void) {
  BOTH(other);
  BOTH(copied);
  BOTH(at_start);
}

static void first(void) { work(); }
static void second(void) { work(); }
