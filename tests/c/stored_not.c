// What is found in a local variable is not what was stored there: something else is, by another store, by a function, by
// a copy, by another thread, or in part; it was stored in another round, or in another call; or the number has changed.
// races: undecided
// sml: stored
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

static Local *theirs;

static int any(void) { return rand() % N; }

static void keep(Local *l, pthread_mutex_t *locks, int i) {
  l->lock = &locks[i];
  l->i = i;
}

/* Each has arrays of its own. */
#define ARRAYS(name)                      \
  static pthread_mutex_t name##_locks[N]; \
  static int name##_counts[N];

#define TWICE(name, found, i)         \
  ATOMIC_BEGIN(#name);                \
  pthread_mutex_lock((found).lock);   \
  name##_counts[i]++;                 \
  name##_counts[i]++;                 \
  pthread_mutex_unlock((found).lock); \
  ATOMIC_END()

ARRAYS(another)
ARRAYS(before)
ARRAYS(called)
ARRAYS(changed)
ARRAYS(copied)
ARRAYS(last)
ARRAYS(later)
ARRAYS(moved)
ARRAYS(once)
ARRAYS(outer)
ARRAYS(thread)

static void another(int i) {
  Local l;
  keep(&l, another_locks, i);
  keep(&l, another_locks, any());
  TWICE(another, l, i);
}

static void perhaps(int i) {
  Local l;
  l.lock = &called_locks[i];
  if (rand()) keep(&l, called_locks, any());
  TWICE(called, l, i);
}

static void change(int i) {
  Local l;
  keep(&l, changed_locks, i);
  i = any();
  TWICE(changed, l, i);
}

static void copy(int i) {
  Local l, other;
  keep(&other, copied_locks, any());
  l.lock = &copied_locks[i];
  l = other;
  TWICE(copied, l, i);
}

/* The number of the round before. */
static void find_before(void) {
  Local l, *volatile at = &l;
  int i = 0, before;
  do {
    before = i;
    i = any();
    l.lock = &before_locks[i];
  } while (rand());
  (void)at;
  TWICE(before, l, before);
}

/* And of the one after. */
static void find_last(void) {
  Local l, *volatile at = &l;
  int i = any();
  l.lock = &last_locks[i];
  for (int k = 0; k < N; k++) {
    TWICE(last, l, i);
    i = any();
  }
  (void)at;
}

static void later(void) {
  Local l, *volatile at = &l;
  int i = any();
  for (int k = 0; k < N; k++) {
    l.lock = &later_locks[i];
    i = any();
    TWICE(later, l, i);
  }
  (void)at;
}

/* It is stored in the first round alone. */
static void once(void) {
  Local l, *volatile at = &l;
  for (int k = 0; k < N; k++) {
    const int i = any();
    if (!k) l.lock = &once_locks[i];
    TWICE(once, l, i);
  }
  (void)at;
}

static void move(int i) {
  Local l;
  keep(&l, moved_locks, i);
  *(char *)&l.lock += sizeof *moved_locks;
  TWICE(moved, l, i);
}

static void outer(int depth, const Local *of_outer) {
  Local l;
  const int i = any();
  keep(&l, outer_locks, i);
  if (depth) outer(depth - 1, &l);
  if (of_outer) { TWICE(outer, *of_outer, i); }
}

static void share(int i) {
  Local l;
  keep(&l, thread_locks, i);
  theirs = &l;
  TWICE(thread, l, i);
}

static void run(void) {
  another(any());
  perhaps(any());
  change(any());
  copy(any());
  find_before();
  find_last();
  later();
  once();
  move(any());
  outer(N, NULL);
  share(any());
}

static void first(void) { run(); }

static void second(void) {
  Local *l = theirs;
  if (l) keep(l, thread_locks, any());
  run();
}
