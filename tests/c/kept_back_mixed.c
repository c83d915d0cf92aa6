// Owners that are put to one of several places, or may be NULL.
// expect: mixed violated
// expect: none violated
// race: 16 16
// race: 16 17
// race: 17 17
// race: 20 27
// race: 20 28
// race: 27 27
// race: 27 28
// race: 28 28
#include "owners.h"

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
  BOTH(mixed);
  BOTH(none);
}

static void first(void) { work(); }
static void second(void) { work(); }
