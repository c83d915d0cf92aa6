// A node that may be one of all buckets, and has the address of any of them.
// expect: nil violated
// race: 12 12
// race: 12 32
// race: 24 32
// race: 32 32
#include "owners.h"

static Bucket nil[N];
static Node end;

static void set_end(unsigned key) { end.owner = &nil[key % N]; }

static void push_nil(unsigned key, unsigned other) {
  Bucket *b = &nil[key % N];
  pthread_mutex_lock(&b->lock);
  if (other % 3) {
    Node *n = calloc(1, sizeof *n);
    n->owner = b;
    b->head = n;
  } else {
    b->head = &end;
  }
  b->n++;
  pthread_mutex_unlock(&b->lock);
}
static void do_nil(unsigned key) {
  Bucket *b = &nil[key % N];
  ATOMIC_BEGIN("nil");
  pthread_mutex_lock(&b->lock);
  Node *n = b->head;
  if (n) { TWICE(n->owner); }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void work(void) {
  set_end((unsigned)rand());
  BOTH(nil);
}

static void first(void) { work(); }
static void second(void) { work(); }
