// Nodes that have been compared on some of the ways alone.
// expect: merged violated
// expect: passed violated
// expect: returned violated
// expect: some violated
// race: 20 21
// race: 21 16
// race: 21 21
// race: 23 24
// race: 24 24
// race: 25 17
// race: 25 19
// race: 28 35
// race: 31 17
// race: 31 19
// race: 35 35
// race: 37 38
#include "strays.h"

TABLE(merged)
BLOCK(merged, Link *at = b->head.next, *it = at; if (at == &b->head) it = b->head.prev; TWICE(NODE(it)))

TABLE(passed)
static void use(Node *n) { TWICE(n); }
BLOCK(passed, Node *n; for (n = NODE(b->head.next); &n->link != &b->head; n = NODE(n->link.next)) use(n);
      if (key) use(n))

TABLE(returned)
static Node *find(Bucket *b, int key) {
  Node *n;
  for (n = NODE(b->head.next); &n->link != &b->head; n = NODE(n->link.next))
    if (n->key == key) return n;
  return n;
}
BLOCK(returned, Node *n = find(b, (int)key); TWICE(n))

TABLE(some)
BLOCK(
    some, Link *at = b->head.next; if (key % 3 == 0 || at != &b->head) { TWICE(NODE(at)); })

static void work(void) {
  BOTH(merged);
  BOTH(passed);
  BOTH(returned);
  BOTH(some);
}

static void first(void) { work(); }
static void second(void) { work(); }
