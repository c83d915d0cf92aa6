// A lock is chosen, and what it would keep by another condition, or by one that has changed, in another round, or not at
// all; or it is changed without the lock besides.
// races: undecided
// expect: again violated
// expect: before violated
// expect: beside violated
// expect: both violated
// expect: direct violated
// expect: other violated
// expect: turned violated
#include "two.h"

#include <stdlib.h>

enum { ROUNDS = 20 };

/* Each has variables of its own. */
#define VARIABLES(name)                                                                              \
  static pthread_mutex_t name##_a = PTHREAD_MUTEX_INITIALIZER, name##_b = PTHREAD_MUTEX_INITIALIZER; \
  static int name##_x, name##_y;

#define TWICE(name, lock, n)  \
  ATOMIC_BEGIN(#name);        \
  pthread_mutex_lock(lock);   \
  ++*(n);                     \
  ++*(n);                     \
  pthread_mutex_unlock(lock); \
  ATOMIC_END()

VARIABLES(again)
VARIABLES(before)
VARIABLES(beside)
VARIABLES(both)
VARIABLES(direct)
VARIABLES(other)
VARIABLES(turned)

static void choose_again(int odd) {
  pthread_mutex_t *lock = odd ? &again_a : &again_b;
  odd = rand() % 2;
  int *n = odd ? &again_x : &again_y;
  TWICE(again, lock, n);
}

/* What was chosen in the round before. */
static void choose_before(void) {
  int *n = &before_x, *next;
  for (int i = 0; i < ROUNDS; i++) {
    const int odd = rand() % 2;
    pthread_mutex_t *lock = odd ? &before_a : &before_b;
    next = odd ? &before_x : &before_y;
    TWICE(before, lock, n);
    n = next;
  }
}

static void choose_beside(int odd) {
  pthread_mutex_t *lock = odd ? &beside_a : &beside_b;
  int *n = odd ? &beside_x : &beside_y;
  TWICE(beside, lock, n);
  beside_x++;
}

static void choose_both(int odd) {
  pthread_mutex_t *lock = &both_a;
  int *n = &both_x;
  if (odd) lock = &both_b;
  else n = &both_y;
  if (rand()) n = &both_x;
  TWICE(both, lock, n);
}

static void choose_directly(int odd) {
  pthread_mutex_t *lock = odd ? &direct_a : &direct_b;
  ATOMIC_BEGIN("direct");
  pthread_mutex_lock(lock);
  direct_x++;
  direct_x++;
  pthread_mutex_unlock(lock);
  ATOMIC_END();
}

static void choose_other(int odd, int even) {
  pthread_mutex_t *lock = odd ? &other_a : &other_b;
  int *n = even ? &other_x : &other_y;
  TWICE(other, lock, n);
}

static void turn(int i) {
  pthread_mutex_t *lock = i ? &turned_a : &turned_b;
  int *n = i != 1 ? &turned_x : &turned_y;
  TWICE(turned, lock, n);
}

static void run(void) {
  choose_again(rand() % 2);
  choose_before();
  choose_beside(rand() % 2);
  choose_both(rand() % 2);
  choose_directly(rand() % 2);
  choose_other(rand() % 2, rand() % 2);
  turn(rand());
}

static void first(void) { run(); }

static void second(void) { run(); }
