// Nodes that are passed and returned, and have been compared in some of the calls alone.
// expect: passed violated
// expect: returned violated
// race: 15 15
// race: 15 17
// race: 16 17
// race: 17 17
// race: 20 16
// race: 20 18
// race: 25 32
// race: 28 16
// race: 28 18
// race: 32 32
#include "strays.h"

TABLE(passed)
static void use(Node *n) { TWICE(n); }
static void each(Bucket *b, unsigned key) {
  Node *n;
  for (n = NODE(b->head.next); &n->link != &b->head; n = NODE(n->link.next)) use(n);
  if (key) use(n);
}
BLOCK(passed, each(b, key))

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
