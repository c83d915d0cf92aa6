// The address of an element is computed before its lock is taken, by the same number computed once more.
// expect: address atomic
// expect: called atomic
// expect: kept atomic
// expect: parallel atomic
#include "two.h"

#include <stdlib.h>

enum { N = 64 };

typedef struct Node {
  struct Node *next;
  int value;
} Node;

static struct Slot {
  pthread_mutex_t lock;
  int n;
  Node *head;
} slots[N];

static void address(unsigned k) {
  struct Slot *s = &slots[k % N];
  ATOMIC_BEGIN("address");
  pthread_mutex_lock(&slots[k % N].lock);
  s->n++;
  slots[k % N].n++;
  pthread_mutex_unlock(&slots[k % N].lock);
  ATOMIC_END();
}

static unsigned hash(unsigned k) { return (k ^ k >> 7) & (N - 1); }

static struct Slot *slot_of(unsigned k) { return &slots[hash(k)]; }

static void call(unsigned k) {
  struct Slot *s = slot_of(k);
  ATOMIC_BEGIN("called");
  pthread_mutex_lock(&slot_of(k)->lock);
  s->n++;
  slot_of(k)->n++;
  pthread_mutex_unlock(&slot_of(k)->lock);
  ATOMIC_END();
}

static void keep(unsigned k) {
  struct Slot *s = &slots[k % N];
  ATOMIC_BEGIN("kept");
  pthread_mutex_lock(&slots[k % N].lock);
  Node *n = calloc(1, sizeof *n);
  n->next = s->head;
  s->head = n;
  for (n = slots[k % N].head; n; n = n->next) n->value++;
  pthread_mutex_unlock(&s->lock);
  ATOMIC_END();
}

static pthread_mutex_t locks[N];
static int counts[N];

static void count(unsigned k) {
  int *at = &counts[k % N];
  ATOMIC_BEGIN("parallel");
  pthread_mutex_lock(&locks[k % N]);
  ++*at;
  ++*at;
  pthread_mutex_unlock(&locks[k % N]);
  ATOMIC_END();
}

static void work(void) {
  address((unsigned)rand());
  call((unsigned)rand());
  keep((unsigned)rand());
  count((unsigned)rand());
}

static void first(void) { work(); }
static void second(void) { work(); }
