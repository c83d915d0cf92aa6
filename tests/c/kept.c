// Nodes hang in the lists of buckets, each of which has its own lock: a node is changed under the lock of its bucket.
// expect: add atomic
// expect: change atomic
// expect: find atomic
// expect: remove atomic
// expect: take atomic
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
} Bucket;

static Bucket table[N];

static Bucket *bucket_of(int key) { return &table[(unsigned)key % N]; }

static Node *make_node(int key, const char *name) {
  Node *n = malloc(sizeof *n);
  if (!n) return NULL;
  n->key = key;
  n->value = 0;
  n->name = strdup(name);
  return n;
}

static Node *find(Bucket *b, int key) {
  for (Node *n = b->head; n; n = n->next)
    if (n->key == key) return n;
  return NULL;
}

static void add(int key, int d) {
  Bucket *b = bucket_of(key);
  ATOMIC_BEGIN("add");
  pthread_mutex_lock(&b->lock);
  Node *n = find(b, key);
  if (n) {
    n->value += d;
    n->name[0] = 'a';
  } else if ((n = make_node(key, "new"))) {
    n->value = d;
    n->next = b->head;
    b->head = n;
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static void change(int key, int d) {
  Bucket *b = bucket_of(key);
  ATOMIC_BEGIN("change");
  pthread_mutex_lock(&b->lock);
  for (Node *n = b->head; n; n = n->next)
    if (n->key == key) {
      n->value += d;
      strcpy(n->name, "old");
    }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

static int value_of(int key) {
  Bucket *b = &table[(unsigned)key % N];
  int value = 0;
  ATOMIC_BEGIN("find");
  pthread_mutex_lock(&b->lock);
  Node *n = find(b, key);
  if (n) value = n->value + n->name[0];
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
  return value;
}

/* The place where the address of the node is, in the bucket or in a node. */
static void remove_node(int key) {
  Bucket *b = bucket_of(key);
  ATOMIC_BEGIN("remove");
  pthread_mutex_lock(&b->lock);
  Node **at = &b->head;
  while (*at && (*at)->key != key) at = &(*at)->next;
  Node *n = *at;
  if (n) {
    *at = n->next;
    free(n->name);
    free(n);
  }
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
}

/* With the node before it. */
static void take(int key) {
  Bucket *b = bucket_of(key);
  ATOMIC_BEGIN("take");
  pthread_mutex_lock(&b->lock);
  Node *before = NULL, *n = b->head;
  while (n && n->key != key) {
    before = n;
    n = n->next;
  }
  if (n && before) before->next = n->next;
  else if (n) b->head = n->next;
  pthread_mutex_unlock(&b->lock);
  ATOMIC_END();
  if (!n) return;
  free(n->name);
  free(n);
}

static void work(void) {
  add(rand(), 1);
  change(rand(), 2);
  remove_node(rand());
  take(rand());
  value_of(rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
