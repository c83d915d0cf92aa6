// Owners that are given to a node later, and used later.
// expect: early violated
// expect: last violated
// expect: moved violated
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

/* the owner of the round before; behind the lock */
TABLE(early, NO_INITIAL, )
static void do_early(void) {
  Bucket *before = NULL;
  for (int i = 0; i < 3; i++) {
    Bucket *b = &early[(unsigned)rand() % N];
    ATOMIC_BEGIN("early");
    pthread_mutex_lock(&b->lock);
    if (before) {
      before->n++;
      before->n++;
    }
    if (b->head) before = b->head->owner;
    pthread_mutex_unlock(&b->lock);
    ATOMIC_END();
  }
}

TABLE(last, NO_INITIAL, )
static void do_last(unsigned key) {
  Bucket *b = &last[key % N], *o = NULL;
  ATOMIC_BEGIN("last");
  pthread_mutex_lock(&b->lock);
  if (b->head) o = b->head->owner;
  pthread_mutex_unlock(&b->lock);
  if (o) {
    o->n++;
    o->n++;
  }
  ATOMIC_END();
}

static void work(void) {
  BOTH(moved);
  move((unsigned)rand(), (unsigned)rand());
  push_early((unsigned)rand(), 0);
  do_early();
  BOTH(last);
}

static void first(void) { work(); }
static void second(void) { work(); }
