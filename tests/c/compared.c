// A cell may be compared with a number that is known in each call: Peterson's and Dekker's locks, and turns.
// expect: dekker atomic
// expect: peterson atomic
// expect: turn atomic
#include "two.h"

#include <stdatomic.h>
#include <stdbool.h>

static atomic_int flag[2], victim, turn, favoured;
static atomic_bool wants[2];
static int a, b, c;

static void peterson(int me) {
  const int you = 1 - me;
  atomic_store(&flag[me], 1);
  atomic_store(&victim, me);
  while (atomic_load(&flag[you]) && atomic_load(&victim) == me) {}
}

static void dekker(int me) {
  const int you = 1 - me;
  atomic_store(&wants[me], true);
  while (atomic_load(&wants[you])) {
    if (atomic_load(&favoured) == me) continue;
    atomic_store(&wants[me], false);
    while (atomic_load(&favoured) != me) {}
    atomic_store(&wants[me], true);
  }
}

static void work(int me) {
  for (int i = 0; i < 100; i++) {
    peterson(me);
    ATOMIC_BEGIN("peterson");
    a++, a++;
    ATOMIC_END();
    atomic_store(&flag[me], 0);
    dekker(me);
    ATOMIC_BEGIN("dekker");
    b++, b++;
    ATOMIC_END();
    atomic_store(&favoured, 1 - me);
    atomic_store(&wants[me], false);
    while (atomic_load(&turn) != me) {}
    ATOMIC_BEGIN("turn");
    c++, c++;
    ATOMIC_END();
    atomic_store(&turn, 1 - me);
  }
}

static void first(void) { work(0); }
static void second(void) { work(1); }
