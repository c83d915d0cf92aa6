// Owners that are used later.
// expect: early violated
// expect: last violated
// race: 17 25
// race: 17 26
// race: 25 25
// race: 25 26
// race: 26 26
// race: 34 42
// race: 34 43
// race: 42 42
// race: 42 43
// race: 43 43
#include "owners.h"

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
  push_early((unsigned)rand(), 0);
  do_early();
  BOTH(last);
}

static void first(void) { work(); }
static void second(void) { work(); }
