// A lock is chosen, and what it keeps by the same condition: both are chosen alike, by ternaries, by branches, by a
// switch, in functions, and where the condition is computed twice.
// expect: branch atomic
// expect: default atomic
// expect: function atomic
// expect: known atomic
// expect: nested atomic
// expect: switch atomic
// expect: ternary atomic
#include "two.h"

#include <stdlib.h>

enum { ROUNDS = 20 };

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z;

#define TWICE(name, lock, n)  \
  ATOMIC_BEGIN(name);         \
  pthread_mutex_lock(lock);   \
  ++*(n);                     \
  ++*(n);                     \
  pthread_mutex_unlock(lock); \
  ATOMIC_END()

static void choose(void) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_t *lock = i % 2 ? &a : &b;
    int *n = i % 2 ? &x : &y;
    TWICE("ternary", lock, n);
  }
}

static void branch(int odd) {
  pthread_mutex_t *lock;
  int *n;
  if (odd) {
    lock = &a;
    n = &x;
  } else {
    lock = &b;
    n = &y;
  }
  TWICE("branch", lock, n);
}

static void change(int odd) {
  pthread_mutex_t *lock = &b;
  int *n = &y;
  if (odd) {
    lock = &a;
    n = &x;
  }
  TWICE("default", lock, n);
}

static void nest(int i) {
  pthread_mutex_t *lock = i == 0 ? &a : i == 1 ? &b : &c;
  int *n = i == 0 ? &x : i == 1 ? &y : &z;
  TWICE("nested", lock, n);
}

static void turn(int i) {
  pthread_mutex_t *lock;
  int *n;
  switch (i) {
  case 0: lock = &a, n = &x; break;
  case 1: lock = &b, n = &y; break;
  default: lock = &c, n = &z; break;
  }
  TWICE("switch", lock, n);
}

static pthread_mutex_t *lock_of(int odd) { return odd ? &a : &b; }
static int *number_of(int odd) { return odd ? &x : &y; }

static void call(int odd) { TWICE("function", lock_of(odd), number_of(odd)); }

static void know(int odd) {
  pthread_mutex_t *lock = odd ? &a : &b;
  ATOMIC_BEGIN("known");
  pthread_mutex_lock(lock);
  if (odd) x++, x++;
  else y++, y++;
  pthread_mutex_unlock(lock);
  ATOMIC_END();
}

static void run(void) {
  choose();
  branch(rand() % 2);
  change(rand() % 2);
  nest(rand());
  turn(rand());
  call(rand() % 2);
  know(rand() % 2);
}

static void first(void) { run(); }

static void second(void) { run(); }
