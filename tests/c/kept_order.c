// Nodes that are not used in the same round as the bucket that they hang in: they are kept by no lock.
// expect: late violated
// expect: saved violated
// expect: together violated
// expect: together again violated
// race: 47 47
// race: 57 57
// race: 57 58
// race: 57 73
// race: 57 74
// race: 58 58
// race: 58 73
// race: 58 74
// race: 73 73
// race: 73 74
// race: 74 74
// race: 95 101
// race: 95 102
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
static Bucket together[N], saved[N];

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
USE("saved", saved)

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

static void first(void) {
  const unsigned k = (unsigned)rand();
  Bucket *b = &together[k % N];
  pthread_mutex_lock(&b->lock);
  b->head = calloc(1, sizeof(Node));
  pthread_mutex_unlock(&b->lock);
  do_together();
  do_again();
  do_late(k);
  do_saved();
  use_saved(k);
}

static void second(void) { first(); }
