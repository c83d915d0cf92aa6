// Memory that a thread has just made nobody else can use, until its address is stored where others find it: by then all
// is done. Made here, or by a function that does no more than make it.
// expect: find atomic
// expect: insert atomic
// expect: once atomic
#include "two.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct Node {
  struct Node *next;
  int key, n;
  char name[8];
} Node;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Node *head;
static Node *_Atomic only;

static Node *make(int key) {
  Node *node = malloc(sizeof *node);
  if (!node) return NULL;
  node->key = key;
  memset(node->name, 0, sizeof node->name);
  return node;
}

static void insert(int key) {
  Node *node = make(key);
  node->n = 0;
  ATOMIC_BEGIN("insert");
  node->n++;
  pthread_mutex_lock(&lock);
  node->next = head;
  head = node;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static void find(int key) {
  ATOMIC_BEGIN("find");
  pthread_mutex_lock(&lock);
  for (Node *node = head; node; node = node->next)
    if (node->key == key) node->n++;
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}

static Node *once(void) {
  Node *node = atomic_load(&only);
  if (node) return node;
  pthread_mutex_lock(&lock);
  node = atomic_load(&only);
  if (!node) {
    node = malloc(sizeof *node);
    node->key = 1;
    node->n = 2;
    atomic_store(&only, node);
  }
  pthread_mutex_unlock(&lock);
  return node;
}

static void both(void) {
  for (int i = 0; i < 10; i++) {
    insert(i);
    find(i);
  }
  Node *node = once();
  ATOMIC_BEGIN("once");
  (void)*(volatile int *)&node->key, (void)*(volatile int *)&node->n, (void)*(volatile int *)&node->key;
  ATOMIC_END();
}

static void first(void) { both(); }
static void second(void) { both(); }
