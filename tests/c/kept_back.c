// Lists that end in their bucket, or lead back to it: sys/queue.h, owners, parents, and a node in the bucket.
// expect: insert atomic
// expect: last atomic
// expect: link atomic
// expect: owned atomic
// expect: remove atomic
// expect: ring atomic
// expect: tail atomic
// expect: tree atomic
#include "two.h"

#include <stdlib.h>
#include <sys/queue.h>

enum { N = 64 };

/* ---- sys/queue.h: nodes have the address of the field where theirs is ---- */

typedef struct Node {
  TAILQ_ENTRY(Node) all;
  LIST_ENTRY(Node) hash;
  STAILQ_ENTRY(Node) free;
  int key, value;
} Node;

static struct Bucket {
  pthread_mutex_t lock;
  TAILQ_HEAD(Queue, Node) all;
} table[N];

static struct Chain {
  pthread_mutex_t lock;
  LIST_HEAD(, Node) head;
} chains[N];

static struct Pool {
  pthread_mutex_t lock;
  STAILQ_HEAD(, Node) head;
} pools[N];

static Node *find(struct Bucket *b, int key) {
  Node *n;
  TAILQ_FOREACH(n, &b->all, all) {
    if (n->key == key) return n;
  }
  return NULL;
}

static void insert(int key) {
  struct Bucket *b = &table[(unsigned)key % N];
  ATOMIC_BEGIN("insert");
  pthread_mutex_lock(&b->lock);
  Node *n = find(b, key);
  if (!n) {
    n = calloc(1, sizeof *n);
    n->key = key;
    TAILQ_INSERT_TAIL(&b->all, n, all);
  }
  n->value++;
  n->value++;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void take(int key) {
  struct Bucket *b = &table[(unsigned)key % N];
  ATOMIC_BEGIN("remove");
  pthread_mutex_lock(&b->lock);
  Node *n = find(b, key);
  if (n) TAILQ_REMOVE(&b->all, n, all);
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
  free(n);
}

static void last(int key) {
  struct Bucket *b = &table[(unsigned)key % N];
  ATOMIC_BEGIN("last");
  pthread_mutex_lock(&b->lock);
  Node *n = TAILQ_LAST(&b->all, Queue);
  if (n) {
    n->value++;
    n->value++;
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void chain(int key) {
  struct Chain *b = &chains[(unsigned)key % N];
  Node *n;
  ATOMIC_BEGIN("link");
  pthread_mutex_lock(&b->lock);
  LIST_FOREACH(n, &b->head, hash) {
    if (n->key == key) break;
  }
  if (n) {
    LIST_REMOVE(n, hash);
    free(n);
  } else {
    n = calloc(1, sizeof *n);
    n->key = key;
    LIST_INSERT_HEAD(&b->head, n, hash);
    n->value++;
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void tail(int key) {
  struct Pool *b = &pools[(unsigned)key % N];
  Node *n = calloc(1, sizeof *n);
  ATOMIC_BEGIN("tail");
  pthread_mutex_lock(&b->lock);
  STAILQ_INSERT_TAIL(&b->head, n, free);
  n = STAILQ_FIRST(&b->head);
  n->value++;
  n->value++;
  if (n->value > key) STAILQ_REMOVE_HEAD(&b->head, free);
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

/* ---- a node in the bucket ---- */

typedef struct Link {
  struct Link *next, *prev;
  int key, value;
} Link;

static struct Ring {
  pthread_mutex_t lock;
  Link head;
} rings[N];

static void ring(int key) {
  struct Ring *b = &rings[(unsigned)key % N];
  Link *n;
  ATOMIC_BEGIN("ring");
  pthread_mutex_lock(&b->lock);
  for (n = b->head.next; n != &b->head; n = n->next) {
    if (n->key == key) break;
  }
  if (n == &b->head) {
    n = calloc(1, sizeof *n);
    n->key = key;
    n->next = b->head.next;
    n->prev = &b->head;
    n->next->prev = n;
    b->head.next = n;
    n->value++;
  } else {
    n->prev->next = n->next;
    n->next->prev = n->prev;
    free(n);
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

/* ---- owners, and parents ---- */

typedef struct Twig {
  struct Twig *left, *right, *parent;
  struct Tree *owner;
  int key, value;
  _Atomic int users;
} Twig;

static struct Tree {
  pthread_mutex_t lock;
  Twig *root;
  int n;
} trees[N];

static void count(Twig *n) {
  n->value++;
  n->users++;
  n->owner->n++;
  n->owner->n++;
}

static void put(int key) {
  struct Tree *b = &trees[(unsigned)key % N];
  ATOMIC_BEGIN("tree");
  pthread_mutex_lock(&b->lock);
  Twig **at = &b->root, *parent = NULL, *n = calloc(1, sizeof *n);
  while (*at) {
    parent = *at;
    at = key < parent->key ? &parent->left : &parent->right;
  }
  *n = (Twig){.key = key};
  n->parent = parent;
  n->owner = b;
  *at = n;
  for (; n; n = n->parent) count(n);
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void owned(int key) {
  struct Tree *b = &trees[(unsigned)key % N];
  ATOMIC_BEGIN("owned");
  pthread_mutex_lock(&b->lock);
  for (Twig *n = b->root; n; n = key < n->key ? n->left : n->right) count(n);
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

__attribute__((constructor)) static void init(void) {
  for (int i = 0; i < N; i++) {
    TAILQ_INIT(&table[i].all);
    STAILQ_INIT(&pools[i].head);
    rings[i].head.next = rings[i].head.prev = &rings[i].head;
  }
}

static void work(void) {
  insert(rand());
  take(rand());
  last(rand());
  chain(rand());
  tail(rand());
  ring(rand());
  put(rand());
  owned(rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
