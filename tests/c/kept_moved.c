// What goes from one bucket to another one is kept by no lock.
// expect: moved violated
// expect: owner violated
// expect: rehash violated
// expect: two violated
// race: 60 112
// race: 60 113
// race: 61 138
// race: 67 71
// race: 71 71
// race: 76 76
// race: 76 77
// race: 77 77
// race: 98 98
// race: 98 99
// race: 99 99
// race: 109 113
// race: 110 112
// race: 112 112
// race: 112 113
// race: 113 113
// race: 113 124
// race: 126 126
// race: 126 127
// race: 127 127
// race: 138 138
// race: 138 143
// race: 138 144
// race: 138 145
// race: 144 144
// race: 144 145
// race: 145 145
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
static Bucket moved[N], two[N], rehash[N], owner[N];

#define PUSH(table)                        \
  static void push_##table(unsigned key) { \
    Bucket *b = &table[key % N];           \
    pthread_mutex_lock(&b->lock);          \
    Node *n = malloc(sizeof *n);           \
    n->key = (int)key;                     \
    n->next = b->head;                     \
    b->head = n;                           \
    pthread_mutex_unlock(&b->lock);        \
  }
PUSH(moved)
PUSH(rehash)
PUSH(owner)

static void do_moved(unsigned key, unsigned other) {
  Bucket *b = &moved[key % N], *c = &moved[other % N];
  pthread_mutex_lock(&b->lock);
  Node *n = b->head;
  if (n) b->head = n->next;
  pthread_mutex_unlock(&b->lock);
  if (!n) return;
  pthread_mutex_lock(&c->lock);
  n->next = c->head;
  c->head = n;
  pthread_mutex_unlock(&c->lock);
  pthread_mutex_lock(&b->lock);
  ATOMIC_BEGIN("moved");
  n->value++;
  n->value++;
  ATOMIC_END();
  pthread_mutex_unlock(&b->lock);
}

static void do_two(void) {
  Node *n = malloc(sizeof *n);
  for (int i = 0; i < 2; i++) {
    Bucket *b = &two[(unsigned)rand() % N];
    pthread_mutex_lock(&b->lock);
    b->head = n;
    pthread_mutex_unlock(&b->lock);
  }
}

static void use_two(unsigned key) {
  Bucket *b = &two[key % N];
  ATOMIC_BEGIN("two");
  pthread_mutex_lock(&b->lock);
  Node *n = b->head;
  if (n) {
    n->value++;
    n->value++;
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void do_rehash(void) {
  for (int i = 0; i < N; i++) {
    Bucket *b = &rehash[i];
    pthread_mutex_lock(&b->lock);
    for (Node *n = b->head; n;) {
      Node *next = n->next;
      Bucket *c = &rehash[(unsigned)(n->key * 7) % N];
      n->next = c->head;
      c->head = n;
      n = next;
    }
    pthread_mutex_unlock(&b->lock);
  }
}

static void use_rehash(unsigned key) {
  Bucket *b = &rehash[key % N];
  ATOMIC_BEGIN("rehash");
  pthread_mutex_lock(&b->lock);
  Node *n = b->head;
  if (n) {
    n->value++;
    n->value++;
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

/* the list goes on in another one */
static void do_owner(unsigned key, unsigned other) {
  Bucket *b = &owner[key % N], *c = &owner[other % N];
  pthread_mutex_lock(&b->lock);
  Node *n = b->head;
  if (n) n->next = c->head;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_BEGIN("owner");
  pthread_mutex_lock(&b->lock);
  n = b->head;
  if (n && n->next) {
    n->next->value++;
    n->next->value++;
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

/* the lock by the node's own way: read anew */
typedef struct Owned Owned;
typedef struct Item {
  Owned *owner;
  int value;
} Item;
struct Owned {
  pthread_mutex_t lock;
  Item *head;
};

/* one site for two kinds of places */

static void work(void) {
  const unsigned k = (unsigned)rand();
  push_moved(k);
  push_rehash(k);
  push_owner(k);
  do_moved(k, (unsigned)rand());
  do_rehash();
  use_rehash(k);
  do_owner(k, (unsigned)rand());
  do_two();
  use_two(k);
}

static void first(void) { work(); }

static void second(void) { work(); }
