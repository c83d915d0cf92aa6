// Nodes that have been compared with another address than that of the end of their list.
// expect: before violated
// expect: other violated
// expect: prior violated
// expect: shifted violated
// race: 15 15
// race: 15 17
// race: 19 20
// race: 20 20
// race: 23 24
// race: 24 15
// race: 24 24
// race: 27 28
// race: 28 28
// race: 31 32
// race: 32 32
#include "strays.h"

TABLE(before)
BLOCK(
    before, Link *at = b->head.next; if (at != (Link *)((char *)&b->head - 8)) { TWICE(NODE(at)); })

TABLE(prior)
BLOCK(
    prior, Link *at = b->head.next; if (at != b->head.prev) { TWICE(NODE(at)); })

TABLE(other)
BLOCK(
    other, Link *at = b->head.next; if (at != &other[(key + 1) % N].head) { TWICE(NODE(at)); })

TABLE(shifted)
BLOCK(
    shifted, Link *at = b->head.next; if ((Link *)((char *)at + sizeof(Bucket)) != &b->head) { TWICE(NODE(at)); })

static void work(void) {
  BOTH(before);
  BOTH(prior);
  BOTH(other);
  BOTH(shifted);
}

static void first(void) { work(); }
static void second(void) { work(); }
