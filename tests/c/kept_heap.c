// Lists and trees that hang in elements of arrays, in memory, in what a bond says; nodes that are made before.
// expect: ahead atomic
// expect: bond atomic
// expect: freelist atomic
// expect: heap table atomic
// expect: heapq atomic
// expect: locked atomic
// expect: prefilled atomic
// expect: push atomic
// expect: tree atomic
// race: 90 210
// race: 128 217
// race: 197 211
#include "two.h"

#include <stdlib.h>

enum { N = 64 };

typedef struct Node {
  struct Node *next;
  int key, value;
} Node;
typedef struct Queue {
  pthread_mutex_t lock;
  Node *head, *tail;
} Queue;
typedef struct {
  pthread_mutex_t lock;
  Node *head, *free;
} Bucket;
static Bucket ahead[N], freelist[N], prefilled[N], pushed[N];
static Queue *queues[N];

static void do_ahead(unsigned key) {
  Node *n = malloc(sizeof *n);
  n->key = (int)key;
  n->value = 0;
  Bucket *b = &ahead[key % N];
  ATOMIC_BEGIN("ahead");
  pthread_mutex_lock(&b->lock);
  n->next = b->head;
  b->head = n;
  n->value++;
  for (n = b->head; n; n = n->next) n->value++;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void do_freelist(unsigned key) {
  Bucket *b = &freelist[key % N];
  ATOMIC_BEGIN("freelist");
  pthread_mutex_lock(&b->lock);
  Node *n = b->free;
  if (n) b->free = n->next;
  else n = malloc(sizeof *n);
  n->value++;
  n->next = b->head;
  b->head = n;
  n = b->head->next;
  if (n) {
    b->head->next = n->next;
    n->next = b->free;
    b->free = n;
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void put(Queue *q, int key) {
  Node *n = malloc(sizeof *n);
  n->key = key;
  n->next = NULL;
  ATOMIC_BEGIN("heapq");
  pthread_mutex_lock(&q->lock);
  if (q->tail) q->tail->next = n;
  else q->head = n;
  q->tail = n;
  for (n = q->head; n; n = n->next) n->value++;
  pthread_mutex_unlock(&q->lock);
  ATOMIC_END();
}

typedef struct {
  int n;
  Bucket *buckets;
} Table;
static Table *table;
static void do_table(unsigned key) {
  Bucket *b = &table->buckets[key % (unsigned)table->n];
  ATOMIC_BEGIN("heap table");
  pthread_mutex_lock(&b->lock);
  Node *n = b->head;
  while (n && n->key != (int)key) n = n->next;
  if (!n) {
    n = calloc(1, sizeof *n);
    n->next = b->head;
    b->head = n;
  }
  n->value++;
  n->value++;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static Bucket locked[N];
static Bucket *bucket(unsigned key) { return &locked[key % N]; }
static void do_locked(unsigned key) {
  Bucket *b = bucket(key);
  ATOMIC_BEGIN("locked");
  pthread_mutex_lock(&b->lock);
  Node *n = b->head;
  while (n && n->key != (int)key) n = n->next;
  if (!n) {
    n = calloc(1, sizeof *n);
    n->next = b->head;
    b->head = n;
  }
  n->value++;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void do_prefilled(unsigned key) {
  Bucket *b = &prefilled[key % N];
  ATOMIC_BEGIN("prefilled");
  pthread_mutex_lock(&b->lock);
  for (Node *n = b->head; n; n = n->next) n->value++;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void insert(Bucket *b, Node *n) {
  pthread_mutex_lock(&b->lock);
  n->next = b->head;
  b->head = n;
  n->value++;
  pthread_mutex_unlock(&b->lock);
}

static void do_push(unsigned key) {
  ATOMIC_BEGIN("push");
  Node *n = calloc(1, sizeof *n);
  n->key = (int)key;
  insert(&pushed[key % N], n);
  ATOMIC_END();
}

typedef struct Tree {
  struct Tree *left, *right;
  int key, value;
} Tree;
typedef struct {
  pthread_mutex_t lock;
  Tree *root;
} Forest;
static Forest forest[N];
static Tree *insert_tree(Tree *t, int key) {
  if (!t) {
    t = calloc(1, sizeof *t);
    t->key = key;
    return t;
  }
  if (key < t->key) t->left = insert_tree(t->left, key);
  else if (key > t->key) t->right = insert_tree(t->right, key);
  else t->value++;
  return t;
}

static void do_tree(unsigned key) {
  Forest *f = &forest[key % N];
  ATOMIC_BEGIN("tree");
  pthread_mutex_lock(&f->lock);
  f->root = insert_tree(f->root, (int)key);
  pthread_mutex_unlock(&f->lock);
  ATOMIC_END();
}

static pthread_mutex_t locks[8];
static Node *heads[N];
static void do_bond(unsigned key) {
  unsigned i = key % N;
  ATOMIC_BEGIN("bond");
  pthread_mutex_lock(&locks[i % 8]);
  Node *n = calloc(1, sizeof *n);
  n->next = heads[i];
  heads[i] = n;
  for (; n; n = n->next) n->value++;
  pthread_mutex_unlock(&locks[i % 8]);
  ATOMIC_END();
}

static void work(void) {
  unsigned k = (unsigned)rand();
  do_ahead(k);
  do_freelist(k);
  put(queues[k % N], 1);
  do_table(k);
  do_locked(k);
  do_prefilled(k);
  do_push(k);
  do_tree(k);
  do_bond(k);
}

static void first(void) {
  Table *t = malloc(sizeof *t);
  t->n = N;
  t->buckets = calloc(N, sizeof *t->buckets);
  table = t;
  for (int i = 0; i < N; i++) queues[i] = calloc(1, sizeof(Queue));
  for (int i = 0; i < 1000; i++) {
    Node *n = malloc(sizeof *n);
    n->key = i;
    Bucket *b = &prefilled[i % N];
    n->next = b->head;
    b->head = n;
  }
  work();
}

static void second(void) { work(); }
