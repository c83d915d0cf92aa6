// Owners that are given to a node later.
// expect: moved violated
// expect: round violated
// race: 12 19
// race: 19 19
// race: 22 37
// race: 29 37
// race: 37 37
#include "owners.h"

/* later, under the lock of the bucket where it is */
TABLE(moved, NO_INITIAL, )
static void move(unsigned key, unsigned to) {
  Bucket *b = &moved[key % N];
  pthread_mutex_lock(&b->lock);
  if (b->head) b->head->owner = &moved[to % N];
  pthread_mutex_unlock(&b->lock);
}
BLOCK(moved, TWICE(n->owner))

/* a node of the round before is given the bucket of this one */
TABLE(round, NO_INITIAL, )
static void fill(void) {
  Node *before = NULL;
  for (int i = 0; i < 3; i++) {
    Bucket *b = &round[(unsigned)rand() % N];
    Node *n = calloc(1, sizeof *n);
    n->owner = b;
    if (before) before->owner = b;
    before = n;
    pthread_mutex_lock(&b->lock);
    n->next = b->head;
    b->head = n;
    pthread_mutex_unlock(&b->lock);
  }
}
BLOCK(round, TWICE(n->owner))

static void work(void) {
  BOTH(moved);
  move((unsigned)rand(), (unsigned)rand());
  fill();
  BOTH(round);
}

static void first(void) { work(); }
static void second(void) { work(); }
