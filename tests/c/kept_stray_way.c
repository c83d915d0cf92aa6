// Nodes that have been compared on some of the ways alone.
// expect: merged violated
// expect: passed violated
// expect: returned violated
// expect: some violated
// race: 19 20
// race: 20 14
// race: 20 20
// race: 22 23
// race: 23 23
// race: 24 15
// race: 24 17
// race: 27 34
// race: 30 15
// race: 30 17
// race: 34 34
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
