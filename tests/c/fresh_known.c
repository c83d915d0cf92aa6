// Memory that others may know of is used as any other: behind a store of its address, on some way; behind a call that
// it is passed to; where a function that makes it tells others of it; where it is not made anew each time.
// expect: called violated
// expect: kept violated
// expect: loop violated
// expect: some violated
// expect: told violated
// race: 42 72
// race: 47 72
// race: 54 72
// race: 58 72
// race: 63 72
#include "two.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
  int a, b;
} Node;

static Node *_Atomic head;

static void publish(Node *node) { atomic_store(&head, node); }

static Node *make_known(void) {
  Node *node = malloc(sizeof *node);
  publish(node);
  return node;
}

static Node *make_once(void) {
  static Node *node;
  if (!node) node = malloc(sizeof *node);
  return node;
}

static void first(void) {
  Node *node = malloc(sizeof *node);
  if (rand() % 2) atomic_store(&head, node);
  ATOMIC_BEGIN("some");
  node->a = 1, node->a = 2;
  ATOMIC_END();
  Node *again = malloc(sizeof *again);
  for (int i = 0; i < 10; i++) {
    ATOMIC_BEGIN("loop");
    again->a = 1, again->a = 2;
    ATOMIC_END();
    atomic_store(&head, again);
  }
  Node *passed = malloc(sizeof *passed);
  publish(passed);
  ATOMIC_BEGIN("called");
  passed->a = 1, passed->a = 2;
  ATOMIC_END();
  Node *known = make_known();
  ATOMIC_BEGIN("told");
  known->a = 1, known->a = 2;
  ATOMIC_END();
  for (int i = 0; i < 10; i++) {
    Node *kept = make_once();
    ATOMIC_BEGIN("kept");
    kept->a = 1, kept->a = 2;
    ATOMIC_END();
    publish(kept);
  }
}

static void second(void) {
  for (int i = 0; i < 100; i++) {
    Node *node = atomic_load(&head);
    if (node) node->a++;
  }
}
