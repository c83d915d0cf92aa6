// What is found in a local variable is what the only store there has left, if that is done on each way: so a lock, and
// a number, are the same ones, whatever functions they are stored and found in.
// expect: guard atomic
// expect: lock atomic
// expect: number atomic
// expect: passed atomic
#include "two.h"

#include <stdlib.h>

enum { N = 20 };

typedef struct {
  pthread_mutex_t *lock;
  int i;
} Local;

static pthread_mutex_t locks[N];
static int counts[N];

static void keep(Local *l, int i) {
  l->lock = &locks[i];
  l->i = i;
}

static void enter(Local *l, int i) {
  keep(l, i);
  pthread_mutex_lock(l->lock);
}

static void leave(const Local *l) { pthread_mutex_unlock(l->lock); }

static void add_guarded(int i) {
  Local l;
  ATOMIC_BEGIN("guard");
  enter(&l, i);
  counts[i]++;
  counts[i]++;
  leave(&l);
  ATOMIC_END();
}

static void add_locked(void) {
  for (int k = 0; k < N; k++) {
    const int i = rand() % N;
    Local l = {.lock = &locks[i]};
    Local *volatile at = &l;
    (void)at;
    ATOMIC_BEGIN("lock");
    pthread_mutex_lock(l.lock);
    counts[i]++;
    counts[i]++;
    pthread_mutex_unlock(l.lock);
    ATOMIC_END();
  }
}

static void add_number(void) {
  Local l;
  keep(&l, rand() % N);
  ATOMIC_BEGIN("number");
  pthread_mutex_lock(&locks[l.i]);
  counts[l.i]++;
  counts[l.i]++;
  pthread_mutex_unlock(&locks[l.i]);
  ATOMIC_END();
}

static void add_twice(const Local *l) {
  ATOMIC_BEGIN("passed");
  pthread_mutex_lock(l->lock);
  counts[l->i]++;
  counts[l->i]++;
  pthread_mutex_unlock(l->lock);
  ATOMIC_END();
}

static void run(void) {
  Local l;
  add_guarded(rand() % N);
  add_locked();
  add_number();
  keep(&l, rand() % N);
  add_twice(&l);
}

static void first(void) { run(); }

static void second(void) { run(); }
