// Nodes that are passed and returned, and have been compared in some of the calls alone.
// expect: passed violated
// expect: returned violated
// race: 16 16
// race: 16 17
// race: 16 18
// race: 17 17
// race: 18 17
// race: 18 19
// race: 21 28
// race: 24 17
// race: 24 19
// race: 28 28
#include "strays.h"

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

static void work(void) {
  BOTH(passed);
  BOTH(returned);
}

static void first(void) { work(); }
static void second(void) { work(); }
