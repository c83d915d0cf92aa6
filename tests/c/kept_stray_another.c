// What is taken for a node at the end of a list, and is none: another one is compared with that, or it is the end.
// expect: another violated
// expect: equal violated
// race: 13 14
// race: 14 14
// race: 14 15
// race: 15 15
// race: 15 17
// race: 17 18
// race: 18 18
#include "strays.h"

TABLE(another)
BLOCK(
    another, Link *at = b->head.next; if (b->head.prev != &b->head) { TWICE(NODE(at)); })

TABLE(equal)
BLOCK(
    equal, Link *at = b->head.next; if (at == &b->head) { TWICE(NODE(at)); })

static void work(void) {
  BOTH(another);
  BOTH(equal);
}

static void first(void) { work(); }
static void second(void) { work(); }
