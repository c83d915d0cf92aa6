// Nodes that are passed and returned, and have been compared in some of the calls alone.
// expect: passed violated
// expect: returned violated
// race: 14 15
// race: 15 15
// race: 16 14
// race: 16 16
// race: 19 26
// race: 22 14
// race: 22 16
// race: 26 26
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
