// Buckets that are computed from a node's owner, which may be another one, or NULL.
// expect: mixed violated
// expect: next violated
// expect: none violated
// expect: walked violated
#include "owners.h"

TABLE(next, NO_INITIAL, )
BLOCK(next, TWICE(n->owner + 1))

TABLE(walked, NO_INITIAL, b->self = o)
BLOCK(walked, TWICE(n->owner->self))

/* through an address that may be that of another variable */
static Bucket single;
TABLE(mixed, NO_INITIAL, Bucket *p = to % 3 ? b : &single; b->self = b; p->self = o; n->owner = b->self)
BLOCK(mixed, TWICE(n->owner))

/* the owner may be NULL, and is no other bucket then */
TABLE(none, NO_INITIAL, if (to % 2) n->owner = NULL)
static void do_none(unsigned key) {
  Bucket *b = &none[key % N], *c = &none[(key + 1) % N];
  ATOMIC_BEGIN("none");
  pthread_mutex_lock(&b->lock);
  Node *n = b->head;
  if (n && n->owner != b) {
    c->n++;
    c->n++;
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void work(void) {
  BOTH(next);
  BOTH(walked);
  BOTH(mixed);
  BOTH(none);
}

static void first(void) { work(); }
static void second(void) { work(); }
