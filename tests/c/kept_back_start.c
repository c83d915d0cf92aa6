// Buckets with the address of another one, at constant places.
// expect: at_start violated
// expect: fixed violated
// race: 17 18
// race: 18 18
// race: 23 23
// race: 23 24
// race: 23 30
// race: 24 24
// race: 24 30
// race: 33 41
// race: 41 41
#include "owners.h"

#define AT_START = {[0] = {.self = &at_start[0]}, [1] = {.self = &at_start[2]}}

TABLE(at_start, AT_START, n->owner = b->self)
BLOCK(at_start, TWICE(n->owner))

/* constant places */
static Bucket fixed[8];
static void set_fixed(void) {
  fixed[0].self = &fixed[0];
  fixed[1].self = &fixed[2];
}
static void push_fixed(unsigned key) {
  Bucket *b = &fixed[key % 8];
  pthread_mutex_lock(&b->lock);
  Node *n = calloc(1, sizeof *n);
  n->owner = b->self;
  n->next = b->head;
  b->head = n;
  b->n++;
  pthread_mutex_unlock(&b->lock);
}
static void do_fixed(unsigned key) {
  Bucket *b = &fixed[key % 8];
  ATOMIC_BEGIN("fixed");
  pthread_mutex_lock(&b->lock);
  Node *n = b->head;
  if (n && n->owner) { TWICE(n->owner); }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void work(void) {
  BOTH(at_start);
  set_fixed();
  push_fixed((unsigned)rand());
  do_fixed((unsigned)rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
