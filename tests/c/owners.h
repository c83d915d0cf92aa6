/* owners.h: buckets, and nodes that have the addresses of theirs. */
#include "two.h"

#include <stdlib.h>
#include <string.h>

enum { N = 64 };

typedef struct Node {
  struct Node *next;
  struct Bucket *owner;
  int key;
} Node;
typedef struct Bucket {
  pthread_mutex_t lock;
  Node *head;
  struct Bucket *self;
  int n;
} Bucket;

/* Each has its own buckets, calls and nodes: `own` says whose a new node is, and `use` what is done to the owner. */
#define TABLE(name, initial, own)                      \
  static Bucket name[N] initial;                       \
  static void push_##name(unsigned key, unsigned to) { \
    Bucket *b = &name[key % N], *o = &name[to % N];    \
    (void)o;                                           \
    pthread_mutex_lock(&b->lock);                      \
    Node *n = calloc(1, sizeof *n);                    \
    n->owner = b;                                      \
    own;                                               \
    n->next = b->head;                                 \
    b->head = n;                                       \
    b->n++;                                            \
    pthread_mutex_unlock(&b->lock);                    \
  }
#define BLOCK(name, use)                \
  static void do_##name(unsigned key) { \
    Bucket *b = &name[key % N];         \
    ATOMIC_BEGIN(#name);                \
    pthread_mutex_lock(&b->lock);       \
    Node *n = b->head;                  \
    if (n && n->owner) { use; }         \
    pthread_mutex_unlock(&b->lock);     \
    ATOMIC_END();                       \
  }
#define TWICE(o) \
  Bucket *p = o; \
  p->n++;        \
  p->n++

#define NO_INITIAL

#define BOTH(name)                                 \
  push_##name((unsigned)rand(), (unsigned)rand()); \
  do_##name((unsigned)rand())
