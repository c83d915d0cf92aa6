// A node's owner is what a thread has ended with.
// expect: joined violated
// race: 22 22
// race: 9 22
#include "owners.h"

/* what a thread has ended with */
static void *give(void *unused);
TABLE(joined, NO_INITIAL, )
static void *give(void *unused) {
  (void)unused;
  return &joined[(unsigned)rand() % N];
}
static void join(unsigned key) {
  pthread_t t;
  Bucket *b = &joined[key % N];
  if (pthread_create(&t, NULL, give, NULL)) return;
  pthread_mutex_lock(&b->lock);
  if (b->head) pthread_join(t, (void **)&b->head->owner);
  pthread_mutex_unlock(&b->lock);
}
BLOCK(joined, TWICE(n->owner))

static void work(void) { BOTH(joined); }

static void first(void) {
  join((unsigned)rand());
  work();
}
static void second(void) { work(); }
