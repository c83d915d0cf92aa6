// Nodes that a loop puts into several buckets, one after the other: they are kept by no lock.
// expect: box violated
// expect: chain violated
// expect: inner violated
// expect: outer violated
// race: 39 39
// race: 40 40
// race: 41 41
// race: 42 42
// race: 42 86
#include "two.h"

#include <stdlib.h>

enum { N = 64 };

typedef struct Node {
  struct Node *next;
  int key, value;
} Node;
typedef struct {
  pthread_mutex_t lock;
  Node *head;
} Bucket;
static Bucket box[N], inner[N], outer[N], chain[N];

#define USE(name, table)                      \
  static void use_##table(unsigned key) {     \
    Bucket *b = &table[key % N];              \
    ATOMIC_BEGIN(name);                       \
    pthread_mutex_lock(&b->lock);             \
    for (Node *n = b->head; n; n = n->next) { \
      n->value++;                             \
      n->value++;                             \
    }                                         \
    pthread_mutex_unlock(&b->lock);           \
    ATOMIC_END();                             \
  }
USE("box", box)
USE("inner", inner)
USE("outer", outer)
USE("chain", chain)

/* the address is in memory of one's own */
static void do_box(void) {
  Node *own = calloc(1, sizeof *own);
  own->next = calloc(1, sizeof *own);
  for (int i = 0; i < 4; i++) {
    Bucket *b = &box[(unsigned)rand() % N];
    pthread_mutex_lock(&b->lock);
    b->head = own->next;
    pthread_mutex_unlock(&b->lock);
  }
}

static void do_inner(void) {
  for (int i = 0; i < 4; i++) {
    Node *n = calloc(1, sizeof *n);
    for (int k = 0; k < 2; k++) {
      Bucket *b = &inner[(unsigned)rand() % N];
      pthread_mutex_lock(&b->lock);
      b->head = n;
      pthread_mutex_unlock(&b->lock);
    }
  }
}

/* a node that hangs behind all */
static void do_outer(void) {
  Node *tail = calloc(1, sizeof *tail);
  for (int i = 0; i < 4; i++) {
    Node *n = calloc(1, sizeof *n);
    n->next = tail;
    Bucket *b = &outer[(unsigned)rand() % N];
    pthread_mutex_lock(&b->lock);
    b->head = n;
    pthread_mutex_unlock(&b->lock);
  }
}

/* made in one round, put into a list in the next one, by a chain of its own */
static void do_chain(void) {
  Node *chained = NULL;
  for (int i = 0; i < 4; i++) {
    Node *n = calloc(1, sizeof *n);
    n->next = chained;
    chained = n;
    Bucket *b = &chain[(unsigned)rand() % N];
    pthread_mutex_lock(&b->lock);
    b->head = chained;
    pthread_mutex_unlock(&b->lock);
  }
}

static void first(void) {
  const unsigned k = (unsigned)rand();
  do_box();
  do_inner();
  do_outer();
  do_chain();
  use_box(k);
  use_inner(k);
  use_outer(k);
  use_chain(k);
}

static void second(void) { first(); }
