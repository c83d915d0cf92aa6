// What is found elsewhere, too, is kept by no lock.
// expect: copied violated
// expect: early violated
// expect: last violated
// expect: local violated
// expect: mixed violated
// race: 58 92
// race: 59 110
// race: 66 66
// race: 66 67
// race: 66 68
// race: 66 69
// race: 68 68
// race: 68 69
// race: 69 69
// race: 83 83
// race: 83 84
// race: 84 84
// race: 100 100
// race: 100 101
// race: 101 101
// race: 110 110
// race: 116 116
// race: 116 117
// race: 117 117
// race: 143 143
// race: 143 144
// race: 144 144
#include "two.h"

#include <stdlib.h>
#include <string.h>

enum { N = 64 };

typedef struct Node {
  struct Node *next;
  int key, value;
} Node;
typedef struct {
  pthread_mutex_t lock;
  Node *head;
} Bucket;
static Bucket lastt[N], early[N], local[N], copied[N];

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
PUSH(lastt)
PUSH(early)
PUSH(local)
PUSH(copied)

static Node *last;
static void do_last(unsigned key) {
  Bucket *b = &lastt[key % N];
  ATOMIC_BEGIN("last");
  pthread_mutex_lock(&b->lock);
  last = b->head;
  if (last) {
    last->value++;
    last->value++;
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

/* the node of the round before */
static void do_early(void) {
  Node *prev = NULL;
  for (int i = 0; i < 3; i++) {
    Bucket *b = &early[(unsigned)rand() % N];
    ATOMIC_BEGIN("early");
    pthread_mutex_lock(&b->lock);
    if (prev) {
      prev->value++;
      prev->value++;
    }
    prev = b->head;
    pthread_mutex_unlock(&b->lock);
    ATOMIC_END();
  }
}

static void get(Bucket *b, Node **n) { *n = b->head; }
static void do_local(void) {
  Node *n;
  get(&local[(unsigned)rand() % N], &n);
  Bucket *b = &local[(unsigned)rand() % N];
  ATOMIC_BEGIN("local");
  pthread_mutex_lock(&b->lock);
  if (n) {
    n->value++;
    n->value++;
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void do_copied(unsigned key, unsigned other) {
  Bucket *b = &copied[key % N], *c = &copied[other % N];
  pthread_mutex_lock(&c->lock);
  memcpy(&c->head, &b->head, sizeof b->head);
  pthread_mutex_unlock(&c->lock);
  ATOMIC_BEGIN("copied");
  pthread_mutex_lock(&b->lock);
  Node *n = b->head;
  if (n) {
    n->value++;
    n->value++;
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static pthread_mutex_t plain_lock;
/* one site for two kinds of places */
static Node *plain;
static Bucket mixed[N];
static void do_mixed(unsigned k) {
  Bucket *q = &mixed[k % N];
  Node *n = calloc(1, sizeof *n);
  if (k % 3) {
    pthread_mutex_lock(&plain_lock);
    plain = n;
    pthread_mutex_unlock(&plain_lock);
  } else {
    pthread_mutex_lock(&q->lock);
    q->head = n;
    pthread_mutex_unlock(&q->lock);
  }
  ATOMIC_BEGIN("mixed");
  pthread_mutex_lock(&q->lock);
  n = q->head;
  if (n) {
    n->value++;
    n->value++;
  }
  pthread_mutex_unlock(&q->lock);
  ATOMIC_END();
}

static void work(void) {
  const unsigned k = (unsigned)rand();
  push_lastt(k);
  push_early(k);
  push_local(k);
  push_copied(k);
  do_last(k);
  do_early();
  do_local();
  do_copied(k, (unsigned)rand());
  do_mixed(k);
}

static void first(void) { work(); }

static void second(void) { work(); }
