// Nodes that are not used in the same round as the bucket that they hang in: they are kept by no lock.
// expect: box violated
// expect: callee violated
// expect: chain violated
// expect: inner violated
// expect: late violated
// expect: maybe violated
// expect: outer violated
// expect: recursive violated
// expect: saved violated
// expect: together again violated
// expect: together violated
// race: 64 64
// race: 64 139
// race: 65 65
// race: 66 66
// race: 66 162
// race: 67 67
// race: 67 227
// race: 77 77
// race: 77 78
// race: 77 93
// race: 77 94
// race: 78 78
// race: 78 93
// race: 78 94
// race: 93 93
// race: 93 94
// race: 94 94
// race: 115 121
// race: 115 122
// race: 210 210
// race: 210 217
// race: 213 213
// race: 213 214
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
static Bucket together[N], maybe[N], saved[N], callee[N], box[N], inner[N], outer[N], recursive[N], chain[N];

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
USE("saved", saved)
USE("callee", callee)
USE("box", box) USE("inner", inner) USE("outer", outer) USE("chain", chain)

    /* the bucket and the node of the one before change at once */
    static void do_together(void) {
  Bucket *b;
  Node *before;
  for (b = together, before = NULL; b < together + N; b++) {
    pthread_mutex_lock(&b->lock);
    ATOMIC_BEGIN("together");
    if (before) {
      before->value++;
      before->value++;
    }
    ATOMIC_END();
    before = b->head;
    pthread_mutex_unlock(&b->lock);
  }
}

static void do_again(void) {
  Node *before;
  Bucket *b;
  for (b = together, before = NULL; b < together + N; b++) {
    pthread_mutex_lock(&b->lock);
    ATOMIC_BEGIN("together again");
    if (before) {
      before->value++;
      before->value++;
    }
    ATOMIC_END();
    before = b->head;
    pthread_mutex_unlock(&b->lock);
  }
}

static struct {
  pthread_mutex_t lock;
  int *number;
} late_numbers[N];
/* used where it may have been put into a bucket */
static void do_late(unsigned key) {
  int *n = calloc(1, sizeof *n);
  if (rand()) {
    unsigned i = key % N;
    pthread_mutex_lock(&late_numbers[i].lock);
    late_numbers[i].number = n;
    pthread_mutex_unlock(&late_numbers[i].lock);
  }
  *n = 1;
  unsigned i = key % N;
  ATOMIC_BEGIN("late");
  pthread_mutex_lock(&late_numbers[i].lock);
  n = late_numbers[i].number;
  if (n) {
    ++*n;
    ++*n;
  }
  pthread_mutex_unlock(&late_numbers[i].lock);
  ATOMIC_END();
}

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

/* of the round before */
static void do_saved(void) {
  Node *keep = NULL;
  for (int i = 0; i < 4; i++) {
    Node *n = calloc(1, sizeof *n);
    Bucket *b = &saved[(unsigned)rand() % N];
    pthread_mutex_lock(&b->lock);
    b->head = n;
    if (keep) b->head = keep;
    pthread_mutex_unlock(&b->lock);
    keep = n;
  }
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
  unsigned k = (unsigned)rand();
  Bucket *b = &together[k % N];
  pthread_mutex_lock(&b->lock);
  b->head = calloc(1, sizeof(Node));
  pthread_mutex_unlock(&b->lock);
  do_together();
  do_again();
  do_late(k);
  do_maybe();
  do_saved();
  do_callee();
  do_box();
  do_inner();
  do_outer();
  do_chain();
  use_maybe(k);
  use_saved(k);
  use_callee(k);
  use_box(k);
  use_inner(k);
  use_outer(k);
  use_chain(k);
  go_on(&recursive[k % N], NULL, rand());
}

static void second(void) { first(); }
