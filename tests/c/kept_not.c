// What hangs in a bucket, used without its lock, or with another one; moved; found elsewhere.
// expect: after violated
// expect: copied violated
// expect: early violated
// expect: equal violated
// expect: last violated
// expect: local violated
// expect: mixed violated
// expect: moved violated
// expect: owned violated
// expect: owner violated
// expect: rehash violated
// expect: two violated
// expect: wrong violated
// race: 49 58
// race: 52 143
// race: 52 144
// race: 52 181
// race: 52 212
// race: 52 230
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
static Bucket wrong[N], moved[N], after[N], two[N], lastt[N], rehash[N], early[N], local[N], equal[N], copied[N],
    owner[N];

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
PUSH(wrong)
PUSH(moved)
PUSH(after)
PUSH(lastt) PUSH(rehash) PUSH(early) PUSH(local) PUSH(equal) PUSH(copied) PUSH(owner)

    static void do_wrong(unsigned key) {
  Bucket *b = &wrong[key % N];
  ATOMIC_BEGIN("wrong");
  pthread_mutex_lock(&wrong[(key + 1) % N].lock);
  Node *n = b->head;
  if (n) {
    n->value++;
    n->value++;
  }
  pthread_mutex_unlock(&wrong[(key + 1) % N].lock);
  ATOMIC_END();
}

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

static void do_after(unsigned key) {
  Bucket *b = &after[key % N];
  pthread_mutex_lock(&b->lock);
  Node *n = b->head;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_BEGIN("after");
  if (n) {
    n->value++;
    n->value++;
  }
  ATOMIC_END();
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

static void do_equal(unsigned key) {
  Bucket *b = &equal[key % N];
  pthread_mutex_lock(&b->lock);
  Node *n = b->head, *m = n ? n->next : NULL;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_BEGIN("equal");
  if (n && m && n != m) {
    n->value++;
    n->value++;
  }
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
static Owned owned[N];
static void do_owned(unsigned k) {
  Owned *q = &owned[k % N];
  pthread_mutex_lock(&q->lock);
  Item *n = q->head;
  if (!n) {
    n = calloc(1, sizeof *n);
    n->owner = q;
    q->head = n;
  }
  pthread_mutex_unlock(&q->lock);
  ATOMIC_BEGIN("owned");
  pthread_mutex_lock(&n->owner->lock);
  n->value++;
  n->value++;
  pthread_mutex_unlock(&n->owner->lock);
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
  push_wrong(k);
  push_moved(k);
  push_after(k);
  push_lastt(k);
  push_rehash(k);
  push_early(k);
  push_local(k);
  push_equal(k);
  push_copied(k);
  push_owner(k);
  do_wrong(k);
  do_moved(k, (unsigned)rand());
  do_after(k);
  do_two();
  use_two(k);
  do_last(k);
  do_rehash();
  use_rehash(k);
  do_early();
  do_local();
  do_equal(k);
  do_copied(k, (unsigned)rand());
  do_owner(k, (unsigned)rand());
  do_owned(k);
  do_mixed(k);
}

static void first(void) { work(); }
static void second(void) { work(); }
