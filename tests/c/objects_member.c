// An element of an array that is a member of a structure is under the lock of that structure.
// expect: heap atomic
// expect: listed atomic
// expect: put atomic
// expect: sum atomic
#include "two.h"

#include <stdlib.h>

enum { N = 64, SIZE = 16 };

typedef struct Node {
  struct Node *next;
  int key, value;
} Node;

static struct Shard {
  pthread_mutex_t lock;
  int counts[SIZE];
  Node *heads[SIZE];
  int n;
} shards[N];

static void put(unsigned key) {
  struct Shard *s = &shards[key / SIZE % N];
  ATOMIC_BEGIN("put");
  pthread_mutex_lock(&s->lock);
  s->counts[key % SIZE]++;
  int *count = &s->counts[key % SIZE];
  *count += 2;
  s->n++;
  pthread_mutex_unlock(&s->lock);
  ATOMIC_END();
}

static void sum(unsigned key) {
  struct Shard *s = &shards[key % N];
  ATOMIC_BEGIN("sum");
  pthread_mutex_lock(&s->lock);
  for (int i = 0; i < SIZE; i++) s->n += s->counts[i];
  s->n++;
  pthread_mutex_unlock(&s->lock);
  ATOMIC_END();
}

static void list(unsigned key) {
  struct Shard *s = &shards[key / SIZE % N];
  ATOMIC_BEGIN("listed");
  pthread_mutex_lock(&s->lock);
  Node *n = s->heads[key % SIZE];
  while (n && n->key != (int)key) n = n->next;
  if (!n) {
    n = calloc(1, sizeof *n);
    n->key = (int)key;
    n->next = s->heads[key % SIZE];
    s->heads[key % SIZE] = n;
  }
  n->value++;
  n->value++;
  pthread_mutex_unlock(&s->lock);
  ATOMIC_END();
}

/* not the last member, in memory that is allocated */
static struct Row {
  int cells[SIZE];
  pthread_mutex_t lock;
} * rows;

static void heap(unsigned key) {
  struct Row *r = &rows[key / SIZE];
  ATOMIC_BEGIN("heap");
  pthread_mutex_lock(&r->lock);
  r->cells[key % SIZE]++;
  r->cells[key % SIZE]++;
  pthread_mutex_unlock(&r->lock);
  ATOMIC_END();
}

static void work(void) {
  put((unsigned)rand());
  sum((unsigned)rand());
  list((unsigned)rand());
  heap((unsigned)rand() % (N * SIZE));
}

__attribute__((constructor)) static void init(void) { rows = calloc(N, sizeof *rows); }

static void first(void) { work(); }
static void second(void) { work(); }
