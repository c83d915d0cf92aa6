// What is taken for a node at the end of a list, and is none: it has not been compared with that.
// expect: after violated
// expect: again violated
// expect: another violated
// expect: equal violated
// race: 15 15
// race: 15 17
// race: 23 24
// race: 24 16
// race: 24 18
// race: 24 24
// race: 27 28
// race: 28 16
// race: 28 18
// race: 28 28
// race: 34 35
// race: 35 15
// race: 35 35
// race: 38 39
// race: 39 39
#include "strays.h"

TABLE(after)
BLOCK(after, Node *n; for (n = NODE(b->head.next); &n->link != &b->head; n = NODE(n->link.next)) if (n->key) break;
      TWICE(n))

TABLE(again)
BLOCK(
    again, Link *at = b->head.next; if (at != &b->head) {
      at = at->next;
      TWICE(NODE(at));
    })

TABLE(another)
BLOCK(
    another, Link *at = b->head.next; if (b->head.prev != &b->head) { TWICE(NODE(at)); })

TABLE(equal)
BLOCK(
    equal, Link *at = b->head.next; if (at == &b->head) { TWICE(NODE(at)); })

static void work(void) {
  BOTH(after);
  BOTH(again);
  BOTH(another);
  BOTH(equal);
}

static void first(void) { work(); }
static void second(void) { work(); }
