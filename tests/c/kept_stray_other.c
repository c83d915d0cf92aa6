// Nodes that have been compared with the end of another list, or themselves moved on.
// expect: other violated
// expect: shifted violated
// race: 12 13
// race: 13 13
// race: 15 15
// race: 15 17
// race: 16 17
// race: 17 17
#include "strays.h"

TABLE(other)
BLOCK(
    other, Link *at = b->head.next; if (at != &other[(key + 1) % N].head) { TWICE(NODE(at)); })

TABLE(shifted)
BLOCK(
    shifted, Link *at = b->head.next; if ((Link *)((char *)at + sizeof(Bucket)) != &b->head) { TWICE(NODE(at)); })

static void work(void) {
  BOTH(other);
  BOTH(shifted);
}

static void first(void) { work(); }
static void second(void) { work(); }
