// What is found in a local variable is not what was stored there: something else is, by another store, by a function, by
// a copy, by another thread, or in part; it was stored in another round, or in another call; or the number has changed.
// races: undecided
// expect: another violated
// expect: before violated
// expect: called violated
// expect: changed violated
// expect: copied violated
// expect: last violated
// expect: later violated
// expect: moved violated
// expect: once violated
// expect: outer violated
// expect: thread violated
#include "two.h"

#include <stdlib.h>

enum { N = 20 };

typedef struct {
  pthread_mutex_t *lock;
  int i;
} Local;

static pthread_mutex_t locks[N];
static int counts[N];
static Local *theirs;

static int any(void) { return rand() % N; }

static void keep(Local *l, int i) {
  l->lock = &locks[i];
  l->i = i;
}

#define TWICE(name, found, i)         \
  ATOMIC_BEGIN(name);                 \
  pthread_mutex_lock((found).lock);   \
  counts[i]++;                        \
  counts[i]++;                        \
  pthread_mutex_unlock((found).lock); \
  ATOMIC_END()

static void another(int i) {
  Local l;
  keep(&l, i);
  keep(&l, any());
  TWICE("another", l, i);
}

static void perhaps(int i) {
  Local l;
  l.lock = &locks[i];
  if (rand()) keep(&l, any());
  TWICE("called", l, i);
}

static void change(int i) {
  Local l;
  keep(&l, i);
  i = any();
  TWICE("changed", l, i);
}

static void copy(int i) {
  Local l, other;
  keep(&other, any());
  l.lock = &locks[i];
  l = other;
  TWICE("copied", l, i);
}

/* The number of the round before, and of the one after. */
static void rounds(void) {
  Local l = {.i = 0}, *volatile at = &l;
  int i = 0, before;
  do {
    before = i;
    i = any();
    l.lock = &locks[i];
  } while (rand());
  (void)at;
  TWICE("before", l, before);
  for (int k = 0; k < N; k++) {
    TWICE("last", l, i);
    i = any();
  }
}

static void later(void) {
  Local l, *volatile at = &l;
  int i = any();
  for (int k = 0; k < N; k++) {
    l.lock = &locks[i];
    i = any();
    TWICE("later", l, i);
  }
  (void)at;
}

/* It is stored in the first round alone. */
static void once(void) {
  Local l, *volatile at = &l;
  int i = any();
  for (int k = 0; k < N; k++) {
    if (k) { TWICE("once", l, i); }
    i = any();
    if (!k) l.lock = &locks[i];
  }
  (void)at;
}

static void move(int i) {
  Local l;
  keep(&l, i);
  *(char *)&l.lock += sizeof *locks;
  TWICE("moved", l, i);
}

static void outer(int depth, const Local *of_outer) {
  Local l;
  const int i = any();
  keep(&l, i);
  if (depth) outer(depth - 1, &l);
  if (of_outer) { TWICE("outer", *of_outer, i); }
}

static void share(int i) {
  Local l;
  keep(&l, i);
  theirs = &l;
  TWICE("thread", l, i);
}

static void run(void) {
  another(any());
  perhaps(any());
  change(any());
  copy(any());
  rounds();
  later();
  once();
  move(any());
  outer(N, NULL);
  share(any());
}

static void first(void) { run(); }

static void second(void) {
  Local *l = theirs;
  if (l) keep(l, any());
  run();
}
