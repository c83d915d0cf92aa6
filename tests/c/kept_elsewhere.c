// What hangs in a bucket and is not kept by its lock: its address goes by ways that are not followed.
// expect: beyond violated
// expect: end violated
// expect: select violated
// expect: sentinel violated
// expect: sorted violated
// expect: specific violated
// expect: static violated
// expect: swapped violated
// expect: tagged violated
// race: 66 66
// race: 66 92
// race: 66 165
// race: 66 166
// race: 68 70
// race: 70 75
// race: 77 77
// race: 77 78
// race: 78 78
// race: 89 219
// race: 91 219
// race: 92 92
// race: 102 102
// race: 102 103
// race: 103 103
// race: 109 122
// race: 109 124
// race: 122 122
// race: 122 124
// race: 122 125
// race: 124 124
// race: 124 125
// race: 125 125
// race: 147 152
#include "two.h"

#include <stdint.h>
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
static Bucket sel[N], specific[N], tagged[N], swapped[N], end[N], beyond[N], stat[N];
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
USE("specific", specific) USE("swapped", swapped) static void do_select(unsigned key, unsigned other) {
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

static void do_tagged(void) {
  Bucket *b = &tagged[(unsigned)rand() % N];
  pthread_mutex_lock(&b->lock);
  if (!b->head) b->head = (Node *)((uintptr_t)calloc(1, sizeof(Node)) | 1);
  Node *n = (Node *)((uintptr_t)b->head & ~(uintptr_t)1);
  pthread_mutex_unlock(&b->lock);
  ATOMIC_BEGIN("tagged");
  n->value++;
  n->value++;
  ATOMIC_END();
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
static struct {
  pthread_mutex_t lock;
  List head;
} sentinel[N];
static void do_sentinel(unsigned key) {
  unsigned i = key % N;
  Item *item = calloc(1, sizeof *item);
  ATOMIC_BEGIN("sentinel");
  pthread_mutex_lock(&sentinel[i].lock);
  List *h = &sentinel[i].head;
  if (!h->next) h->next = h->prev = h;
  item->link.next = h->next;
  item->link.prev = h;
  h->next->prev = &item->link;
  h->next = &item->link;
  for (List *l = h->next; l != h; l = l->next) ((Item *)((char *)l - offsetof(Item, link)))->value++;
  pthread_mutex_unlock(&sentinel[i].lock);
  ATOMIC_END();
}

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

static void do_beyond(unsigned key) {
  Bucket *b = &beyond[key % (N - 1)];
  pthread_mutex_lock(&b->lock);
  if (!b->head) b->head = calloc(1, sizeof(Node));
  Node **at = rand() % 2 ? &b->head : &b->head->next;
  ATOMIC_BEGIN("beyond");
  Node *n = *(Node **)((char *)at + sizeof(Bucket));
  if (n) {
    n->value++;
    n->value++;
  }
  ATOMIC_END();
  pthread_mutex_unlock(&b->lock);
}

static Node nil;
static void do_static(unsigned key) {
  Bucket *b = &stat[key % N];
  ATOMIC_BEGIN("static");
  pthread_mutex_lock(&b->lock);
  if (!b->head) b->head = key % 3 ? &nil : calloc(1, sizeof(Node));
  Node *n = b->head;
  n->value++;
  n->value++;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void first(void) {
  pthread_key_create(&key_of, NULL);
  unsigned k = (unsigned)rand(), other = (unsigned)rand();
  do_select(k, other);
  do_specific();
  do_tagged();
  do_sorted(k);
  do_sentinel(k);
  do_swapped();
  do_end(k, other);
  do_beyond(k);
  do_static(k);
  use_specific(k);
  use_swapped(k);
}

static void second(void) { first(); }
