// Circles of nodes, one of which is in the bucket: in that bucket, or in another one.
// expect: ends violated
// expect: joined violated
// race: 46 46
// race: 47 47
#include "two.h"

#include <stdlib.h>

enum { N = 64 };

typedef struct Link {
  struct Link *next;
  int value;
} Link;
typedef struct {
  pthread_mutex_t lock;
  Link head;
} Ring;

#define RINGS(all, end)                                          \
  static Ring all[N];                                            \
  __attribute__((constructor)) static void init_##all(void) {    \
    for (int i = 0; i < N; i++) all[i].head.next = &all[i].head; \
  }                                                              \
  static void push_##all(unsigned key, unsigned other) {         \
    Ring *b = &all[key % N], *o = &all[other % N];               \
    pthread_mutex_lock(&b->lock);                                \
    Link *n = calloc(1, sizeof *n);                              \
    n->next = end;                                               \
    b->head.next = n;                                            \
    (void)o;                                                     \
    pthread_mutex_unlock(&b->lock);                              \
  }                                                              \
  static void do_##all(unsigned key) {                           \
    Ring *b = &all[key % N];                                     \
    ATOMIC_BEGIN(#all);                                          \
    pthread_mutex_lock(&b->lock);                                \
    Link *n = b->head.next->next;                                \
    n->value++;                                                  \
    n->value++;                                                  \
    pthread_mutex_unlock(&b->lock);                              \
    ATOMIC_END();                                                \
  }

RINGS(ends, &o->head)
RINGS(joined, key % 3 ? b->head.next : &o->head)

static void work(void) {
  push_ends((unsigned)rand(), (unsigned)rand());
  push_joined((unsigned)rand(), (unsigned)rand());
  do_ends((unsigned)rand());
  do_joined((unsigned)rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
