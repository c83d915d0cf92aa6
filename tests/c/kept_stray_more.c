// Nodes that have been compared with another address in their bucket than that of the end of their list.
// expect: before violated
// expect: prior violated
// race: 13 14
// race: 14 14
// race: 15 15
// race: 15 17
// race: 17 18
// race: 18 15
// race: 18 18
#include "strays.h"

TABLE(before)
BLOCK(
    before, Link *at = b->head.next; if (at != (Link *)((char *)&b->head - 8)) { TWICE(NODE(at)); })

TABLE(prior)
BLOCK(
    prior, Link *at = b->head.next; if (at != b->head.prev) { TWICE(NODE(at)); })

static void work(void) {
  BOTH(before);
  BOTH(prior);
}

static void first(void) { work(); }
static void second(void) { work(); }
