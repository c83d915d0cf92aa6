// Addresses that lead to other things as well, and those that are computed: what hangs there is kept by no lock.
// expect: beyond violated
// expect: sentinel atomic
// expect: static violated
// expect: tagged violated
// race: 42 42
// race: 42 43
// race: 43 43
// race: 77 80
// race: 82 82
// race: 82 83
// race: 83 83
// race: 96 96
// race: 96 97
// race: 97 97
#include "two.h"

#include <stdint.h>
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
static Bucket tagged[N], beyond[N], stat[N];

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
  const unsigned k = (unsigned)rand();
  do_tagged();
  do_beyond(k);
  do_static(k);
  do_sentinel(k);
}

static void second(void) { first(); }
