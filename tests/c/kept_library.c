// What functions of the library do with addresses of what hangs in a bucket: it is kept by no lock.
// expect: end violated
// expect: sorted violated
// expect: specific violated
// race: 56 56
// race: 56 66
// race: 63 123
// race: 65 123
// race: 66 66
// race: 71 84
// race: 71 86
// race: 84 84
// race: 84 86
// race: 84 87
// race: 86 86
// race: 86 87
// race: 87 87
// race: 105 105
// race: 105 108
// race: 108 114
// race: 108 115
// race: 114 114
// race: 114 115
// race: 115 115
// race: 123 123
#include "two.h"

#include <stdlib.h>
#include <string.h>

enum { N = 64 };

typedef struct Node {
  struct Node *next;
  int key, value;
  char *name;
} Node;
typedef struct {
  pthread_mutex_t lock;
  Node *head;
  char *end;
} Bucket;
static Bucket specific[N], end[N];
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
USE("specific", specific)

static pthread_key_t key_of;
static void do_specific(void) {
  Bucket *b = &specific[(unsigned)rand() % N];
  pthread_mutex_lock(&b->lock);
  if (!b->head) b->head = calloc(1, sizeof(Node));
  pthread_setspecific(key_of, b->head);
  pthread_mutex_unlock(&b->lock);
  Node *n = pthread_getspecific(key_of);
  n->value++;
}

static int by_key(const void *a, const void *b) {
  Node *const *x = a, *const *y = b;
  return (*x)->key - (*y)->key;
}

static struct {
  pthread_mutex_t lock;
  Node **all;
} sorted[N];
static void do_sorted(unsigned key) {
  unsigned i = key % N;
  ATOMIC_BEGIN("sorted");
  pthread_mutex_lock(&sorted[i].lock);
  if (!sorted[i].all) {
    sorted[i].all = calloc(4, sizeof(Node *));
    for (int k = 0; k < 4; k++) sorted[i].all[k] = calloc(1, sizeof(Node));
  }
  qsort(sorted[i].all, 4, sizeof(Node *), by_key);
  sorted[i].all[0]->value++;
  pthread_mutex_unlock(&sorted[i].lock);
  ATOMIC_END();
}

typedef struct List {
  struct List *next, *prev;
} List;
typedef struct {
  int value;
  List link;
} Item;

static void do_end(unsigned key, unsigned other) {
  Bucket *b = &end[key % N], *c = &end[other % N];
  pthread_mutex_lock(&b->lock);
  if (!b->head) {
    b->head = calloc(1, sizeof(Node));
    b->head->name = strdup("12");
  }
  pthread_mutex_lock(&c->lock);
  strtol(b->head->name, &c->end, 10);
  pthread_mutex_unlock(&c->lock);
  pthread_mutex_unlock(&b->lock);
  ATOMIC_BEGIN("end");
  pthread_mutex_lock(&c->lock);
  if (c->end) {
    c->end[0]++;
    c->end[0]++;
  }
  pthread_mutex_unlock(&c->lock);
  ATOMIC_END();
}

static void first(void) {
  const unsigned k = (unsigned)rand();
  pthread_key_create(&key_of, NULL);
  do_specific();
  use_specific(k);
  do_sorted(k);
  do_end(k, (unsigned)rand());
}

static void second(void) { first(); }
