// Two buckets, and what hangs in them: it is kept by no lock.
// expect: select violated
// expect: swapped violated
// race: 52 52
// race: 52 88
// race: 52 89
// race: 56 58
// race: 58 63
// race: 65 65
// race: 65 66
// race: 66 66
// race: 82 84
// race: 82 88
// race: 82 89
// race: 84 87
// race: 84 88
// race: 84 89
// race: 87 88
// race: 87 89
// race: 88 88
// race: 88 89
// race: 89 89
#include "two.h"

#include <stdlib.h>

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
static Bucket sel[N], swapped[N];
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
USE("swapped", swapped)

static void do_select(unsigned key, unsigned other) {
  Bucket *a = &sel[key % N], *c = &sel[other % N], *b = rand() % 2 ? a : c;
  if (!a->head) {
    pthread_mutex_lock(&a->lock);
    a->head = calloc(1, sizeof *a->head);
    pthread_mutex_unlock(&a->lock);
  }
  ATOMIC_BEGIN("select");
  pthread_mutex_lock(&b->lock);
  Node *n = a->head;
  if (n) {
    n->value++;
    n->value++;
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

typedef struct List {
  struct List *next, *prev;
} List;
typedef struct {
  int value;
  List link;
} Item;

static void do_swapped(void) {
  Bucket *a = &swapped[(unsigned)rand() % N], *b = &swapped[(unsigned)rand() % N];
  if (!a->head) {
    pthread_mutex_lock(&a->lock);
    a->head = calloc(1, sizeof *a->head);
    pthread_mutex_unlock(&a->lock);
  }
  Node *n = a->head;
  a->head = b->head;
  b->head = n;
}

static void first(void) {
  const unsigned k = (unsigned)rand();
  do_select(k, (unsigned)rand());
  do_swapped();
  use_swapped(k);
}

static void second(void) { first(); }
