// What hangs in a bucket, used without its lock, or with that of another one.
// expect: after violated
// expect: equal violated
// expect: owned atomic
// expect: wrong violated
// race: 42 50
// race: 52 52
// race: 52 53
// race: 53 53
// race: 66 66
// race: 66 67
// race: 67 67
// race: 79 79
// race: 79 80
// race: 80 80
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
static Bucket wrong[N], after[N], equal[N];

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
PUSH(after)
PUSH(equal)

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

/* the lock by the way of the node: it is the same one */
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

static void work(void) {
  const unsigned k = (unsigned)rand();
  push_wrong(k);
  push_after(k);
  push_equal(k);
  do_wrong(k);
  do_after(k);
  do_equal(k);
  do_owned(k);
}

static void first(void) { work(); }

static void second(void) { work(); }
