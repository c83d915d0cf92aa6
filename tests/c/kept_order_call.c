// Buckets that are found in functions, again and again, or perhaps: what hangs in them is kept by no lock.
// expect: callee violated
// expect: maybe violated
// expect: recursive violated
// race: 42 42
// race: 42 56
// race: 43 43
// race: 43 65
// race: 76 76
// race: 76 83
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
static Bucket maybe[N], callee[N], recursive[N];

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
USE("maybe", maybe)
USE("callee", callee)

static void insert_maybe(Node *n, int key) {
  if (key > 10) return;
  Bucket *b = &maybe[(unsigned)key % N];
  pthread_mutex_lock(&b->lock);
  b->head = n;
  pthread_mutex_unlock(&b->lock);
}

static void do_maybe(void) {
  Node *n = calloc(1, sizeof *n);
  insert_maybe(n, rand());
  n->value = 1;
}

/* the bucket changes in the callee */
static Bucket *some(Node *n) {
  Bucket *b = NULL;
  for (int i = 0; i < 3; i++) {
    b = &callee[(unsigned)rand() % N];
    pthread_mutex_lock(&b->lock);
    n->next = NULL;
    b->head = n;
    pthread_mutex_unlock(&b->lock);
  }
  return b;
}

static void do_callee(void) { some(calloc(1, sizeof(Node))); }

static void go_on(Bucket *b, Node *before, int depth) {
  pthread_mutex_lock(&b->lock);
  if (!b->head) b->head = calloc(1, sizeof(Node));
  ATOMIC_BEGIN("recursive");
  if (before) {
    before->value++;
    before->value++;
  }
  ATOMIC_END();
  Node *n = b->head;
  if (depth) go_on(&recursive[(unsigned)rand() % N], n, depth - 1);
  pthread_mutex_unlock(&b->lock);
}

static void first(void) {
  const unsigned k = (unsigned)rand();
  do_maybe();
  do_callee();
  use_maybe(k);
  use_callee(k);
  go_on(&recursive[k % N], NULL, rand());
}

static void second(void) { first(); }
