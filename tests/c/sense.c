// A barrier whose sense is turned over by the last one that comes; each thread has its own sense in a variable.
// expect: met atomic
#include "two.h"

#include <stdatomic.h>
#include <stdbool.h>

static atomic_int missing = 2;
static atomic_bool sense;
static int d[2];

static void meet(bool *mine) {
  *mine = !*mine;
  if (atomic_fetch_sub(&missing, 1) == 1) {
    atomic_store(&missing, 2);
    atomic_store(&sense, *mine);
  } else {
    while (atomic_load(&sense) != *mine) {}
  }
}

static void work(int me) {
  bool mine = false;
  for (int i = 0; i < 100; i++) {
    d[me] = i;
    meet(&mine);
    ATOMIC_BEGIN("met");
    (void)*(volatile int *)&d[1 - me], (void)*(volatile int *)&d[me], (void)*(volatile int *)&d[1 - me];
    ATOMIC_END();
    meet(&mine);
  }
}

static void first(void) { work(0); }
static void second(void) { work(1); }
