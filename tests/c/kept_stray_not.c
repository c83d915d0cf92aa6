// What is taken for a node at the end of a list, and is none: it is compared with that before.
// expect: after violated
// expect: again violated
// race: 15 15
// race: 15 17
// race: 16 17
// race: 17 16
// race: 17 17
// race: 17 18
// race: 20 21
// race: 21 16
// race: 21 18
// race: 21 21
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

static void work(void) {
  BOTH(after);
  BOTH(again);
}

static void first(void) { work(); }
static void second(void) { work(); }
