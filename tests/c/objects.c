// Objects that are made again and again, each with its own lock: which one a pointer leads to is not known, but it is
// the same one as long as the pointer is not read again.
// expect: again violated
// expect: elsewhere violated
// expect: handed atomic
// expect: once atomic
// expect: twice violated
// race: 59 59
// race: 67 70
// race: 68 68
// race: 68 70
// race: 69 70
// race: 70 70
#include "two.h"

#include <stdlib.h>

enum { N = 10 };

typedef struct {
  pthread_mutex_t lock;
  int n;
} Object;

static Object *right[N], *parts[N], *other[N], *again[N], *handed[N];

static Object *choose(Object **table) { return table[rand() % N]; }

static void add_once(Object *o) {
  ATOMIC_BEGIN("once");
  pthread_mutex_lock(&o->lock);
  o->n++;
  o->n++;
  pthread_mutex_unlock(&o->lock);
  ATOMIC_END();
}

static void add_twice(Object *o) {
  ATOMIC_BEGIN("twice");
  pthread_mutex_lock(&o->lock);
  const int n = o->n;
  pthread_mutex_unlock(&o->lock);
  pthread_mutex_lock(&o->lock);
  o->n = n + 1;
  pthread_mutex_unlock(&o->lock);
  ATOMIC_END();
}

static void make(Object **table) {
  for (int i = 0; i < N; i++) {
    table[i] = malloc(sizeof(Object));
    if (!table[i] || pthread_mutex_init(&table[i]->lock, NULL)) exit(1);
  }
}

static void add_elsewhere(Object *a, Object *b) {
  ATOMIC_BEGIN("elsewhere");
  pthread_mutex_lock(&a->lock);
  b->n++; /* the data of one, under the lock of another one */
  pthread_mutex_unlock(&a->lock);
  ATOMIC_END();
}

static void add_again(void) {
  const int i = rand() % N;
  ATOMIC_BEGIN("again");
  pthread_mutex_lock(&again[i]->lock);
  again[i]->n++; /* it may have been changed */
  pthread_mutex_unlock(&again[i]->lock);
  again[i] = again[0];
  ATOMIC_END();
}

static void lock(Object *o) { pthread_mutex_lock(&o->lock); }
static void unlock(pthread_mutex_t *l) { pthread_mutex_unlock(l); }
static int *number_of(Object *o) { return &o->n; }

static void add_handed(Object *o) {
  ATOMIC_BEGIN("handed");
  lock(o);
  int *n = number_of(o);
  *n = *n + 1;
  unlock(&o->lock);
  ATOMIC_END();
}

static void work(void) {
  add_once(choose(right));
  add_twice(choose(parts));
  add_elsewhere(choose(other), choose(other));
  add_again();
  add_handed(choose(handed));
}

__attribute__((constructor)) static void make_all(void) {
  make(right);
  make(parts);
  make(other);
  make(again);
  make(handed);
}

static void first(void) { work(); }
static void second(void) { work(); }
