// What is loaded at once, of several words, lies in one element, or in two of them: then nodes come from the next one.
// expect: inside atomic
// expect: integer violated
// expect: updated violated
// expect: vector violated
// race: 63 63
// race: 64 64
// race: 65 65
#include "two.h"

#include <stdlib.h>

enum { N = 64 };

typedef unsigned __int128 Integer __attribute__((aligned(8), may_alias));
typedef long Vector __attribute__((vector_size(16), aligned(8), may_alias));

typedef struct {
  long value;
} Node;
typedef struct {
  Node *nodes[2];
} Pair;
typedef struct {
  Node *first;
  pthread_mutex_t lock;
  Pair *pair;
  Node *before, *last;
} Bucket;

#define TWICE(node)  \
  if (node) {        \
    (node)->value++; \
    (node)->value++; \
  }

#define BUCKETS(all, copy)                               \
  static Bucket all[N];                                  \
  static void make_##all(unsigned key) {                 \
    Bucket *b = &all[key % (N - 1)];                     \
    pthread_mutex_lock(&b->lock);                        \
    if (!b->first) b->first = calloc(1, sizeof(Node));   \
    if (!b->before) b->before = calloc(1, sizeof(Node)); \
    if (!b->last) b->last = calloc(1, sizeof(Node));     \
    if (!b->pair) {                                      \
      b->pair = calloc(1, sizeof(Pair));                 \
      b->pair->nodes[1] = b->last;                       \
    }                                                    \
    copy;                                                \
    pthread_mutex_unlock(&b->lock);                      \
  }                                                      \
  static void do_##all(unsigned key) {                   \
    Bucket *b = &all[key % (N - 1)];                     \
    ATOMIC_BEGIN(#all);                                  \
    pthread_mutex_lock(&b->lock);                        \
    TWICE(b->first)                                      \
    if (b->pair) TWICE(b->pair->nodes[1])                \
    pthread_mutex_unlock(&b->lock);                      \
    ATOMIC_END();                                        \
  }

BUCKETS(inside, *(Vector *)b->pair = *(Vector *)&b->before)
BUCKETS(vector, *(Vector *)b->pair = *(Vector *)&b->last)
BUCKETS(integer, *(Integer *)b->pair = *(Integer *)&b->last)
BUCKETS(updated, *(Vector *)&b->last = *(Vector *)b->pair) /* the next one's */

static void work(void) {
  make_inside((unsigned)rand());
  make_vector((unsigned)rand());
  make_integer((unsigned)rand());
  make_updated((unsigned)rand());
  do_inside((unsigned)rand());
  do_vector((unsigned)rand());
  do_integer((unsigned)rand());
  do_updated((unsigned)rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
