// Nodes that have been compared on some of the ways alone.
// expect: merged violated
// expect: some violated
// race: 13 14
// race: 14 14
// race: 14 15
// race: 15 15
// race: 15 17
// race: 16 17
// race: 17 17
#include "strays.h"

TABLE(merged)
BLOCK(merged, Link *at = b->head.next, *it = at; if (at == &b->head) it = b->head.prev; TWICE(NODE(it)))

TABLE(some)
BLOCK(
    some, Link *at = b->head.next; if (key % 3 == 0 || at != &b->head) { TWICE(NODE(at)); })

static void work(void) {
  BOTH(merged);
  BOTH(some);
}

static void first(void) { work(); }
static void second(void) { work(); }
