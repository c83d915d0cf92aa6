// Lists of objects that are known, or in a list themselves, with other locks; nodes that hang nowhere yet.
// expect: added atomic
// expect: all atomic
// expect: fresh atomic
// expect: init atomic
// expect: known atomic
// expect: listed atomic
// expect: reader atomic
// expect: trie atomic
// expect: twice atomic
// expect: unhung atomic
// expect: writer atomic
#include "two.h"

#include <stdlib.h>
#include <string.h>

enum { N = 64 };

typedef struct Queue Queue;
typedef struct Node {
  struct Node *next;
  int key, value;
  char *name;
} Node;
struct Queue {
  pthread_mutex_t lock;
  Node *head;
  Queue *next;
};
static Queue a, b;
static void put(Queue *q, int d) {
  ATOMIC_BEGIN("known");
  pthread_mutex_lock(&q->lock);
  Node *n = q->head;
  if (!n) {
    n = calloc(1, sizeof *n);
    q->head = n;
  }
  n->value += d;
  n->value += d;
  pthread_mutex_unlock(&q->lock);
  ATOMIC_END();
}

static Queue *all;
static pthread_mutex_t list;
static void do_listed(void) {
  Queue *fresh = calloc(1, sizeof *fresh);
  pthread_mutex_lock(&list);
  fresh->next = all;
  all = fresh;
  Queue *q = all;
  pthread_mutex_unlock(&list);
  for (; q; q = q->next) {
    ATOMIC_BEGIN("listed");
    pthread_mutex_lock(&q->lock);
    for (Node *n = q->head; n; n = n->next) n->value++;
    pthread_mutex_unlock(&q->lock);
    ATOMIC_END();
    ATOMIC_BEGIN("added");
    pthread_mutex_lock(&q->lock);
    Node *n = calloc(1, sizeof *n);
    n->next = q->head;
    q->head = n;
    n->value++;
    pthread_mutex_unlock(&q->lock);
    ATOMIC_END();
  }
}

static struct {
  pthread_rwlock_t lock;
  Node *head;
} rw[N];
static int reader(unsigned k) {
  unsigned i = k % N;
  int sum = 0;
  ATOMIC_BEGIN("reader");
  pthread_rwlock_rdlock(&rw[i].lock);
  for (Node *n = rw[i].head; n; n = n->next) sum += n->value;
  pthread_rwlock_unlock(&rw[i].lock);
  ATOMIC_END();
  return sum;
}

static void writer(unsigned i) {
  unsigned k = i % N;
  ATOMIC_BEGIN("writer");
  pthread_rwlock_wrlock(&rw[k].lock);
  if (!rw[k].head) rw[k].head = calloc(1, sizeof(Node));
  for (Node *n = rw[k].head; n; n = n->next) n->value++;
  pthread_rwlock_unlock(&rw[k].lock);
  ATOMIC_END();
}

typedef struct Trie {
  struct Trie *child[26];
  int value;
  char *text;
} Trie;
typedef struct {
  pthread_mutex_t lock;
  Trie *root;
} Root;
static Root roots[N];
static void trie(const char *word) {
  Root *r = &roots[(unsigned)word[0] % N];
  ATOMIC_BEGIN("trie");
  pthread_mutex_lock(&r->lock);
  Trie **t = &r->root;
  for (;; word++) {
    if (!*t) *t = calloc(1, sizeof **t);
    if (*word < 'a' || *word > 'z') break;
    t = &(*t)->child[*word - 'a'];
  }
  (*t)->value++;
  if (!(*t)->text) (*t)->text = malloc(100);
  memset((*t)->text, 'x', 99);
  (*t)->text[99] = 0;
  pthread_mutex_unlock(&r->lock);
  ATOMIC_END();
}

/* all buckets at once */
static Queue alls[N];
static void do_all(void) {
  ATOMIC_BEGIN("all");
  for (int i = 0; i < N; i++) pthread_mutex_lock(&alls[i].lock);
  for (int i = 0; i < N; i++)
    for (Node *n = alls[i].head; n; n = n->next) n->value = 0;
  for (int i = 0; i < N; i++) pthread_mutex_unlock(&alls[i].lock);
  ATOMIC_END();
}

static void do_one(unsigned k) {
  Queue *q = &alls[k % N];
  Node *n = calloc(1, sizeof *n);
  ATOMIC_BEGIN("twice");
  pthread_mutex_lock(&q->lock);
  n->next = q->head;
  q->head = n;
  for (n = q->head; n; n = n->next) {
    n->value++;
    n->value++;
  }
  pthread_mutex_unlock(&q->lock);
  ATOMIC_END();
}

static Queue init[N], fresh[N], unhung[N];
static void init_node(Node *n, int key) {
  n->key = key;
  n->value = 0;
  n->next = NULL;
  n->name = malloc(10);
  n->name[0] = 1;
}

static void do_init(int key) {
  ATOMIC_BEGIN("init");
  Node *n = malloc(sizeof *n);
  init_node(n, key);
  n->value++;
  Queue *b = &init[(unsigned)key % N];
  pthread_mutex_lock(&b->lock);
  n->next = b->head;
  b->head = n;
  n->value++;
  n->name[0]++;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static Node *new_list(void) {
  Node *list = NULL;
  for (int i = 0; i < 3; i++) {
    Node *n = calloc(1, sizeof *n);
    n->next = list;
    list = n;
  }
  return list;
}

static void do_fresh(int key) {
  ATOMIC_BEGIN("fresh");
  Node *n = new_list();
  n->next->value = 7;
  Queue *b = &fresh[(unsigned)key % N];
  pthread_mutex_lock(&b->lock);
  if (!b->head) {
    b->head = n;
    n = NULL;
  } else b->head->value++;
  for (Node *m = b->head; m; m = m->next) m->value++;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
  while (n) {
    Node *next = n->next;
    free(n);
    n = next;
  }
}

/* made by one function, hung by another one, or never */
static Node *make(int key) {
  Node *n = malloc(sizeof *n);
  init_node(n, key);
  return n;
}

static void do_unhung(int key) {
  ATOMIC_BEGIN("unhung");
  Node *own = make(key);
  own->value++;
  own->next = make(key);
  own->next->value++;
  free(own->next);
  free(own);
  Queue *b = &unhung[(unsigned)key % N];
  pthread_mutex_lock(&b->lock);
  Node *n = make(key);
  n->next = b->head;
  b->head = n;
  n->value++;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void first(void) {
  unsigned k = (unsigned)rand();
  put(&a, 1);
  put(&b, 2);
  put(rand() ? &a : &b, 3);
  do_listed();
  reader(k);
  writer(k);
  trie("abc");
  do_all();
  do_one(k);
  do_init((int)k);
  do_fresh((int)k);
  do_unhung((int)k);
}

static void second(void) { first(); }
