// A barrier whose sense is not turned over by each thread lets the second round begin too early.
// expect: met violated
// race: 26 29
#include "two.h"

#include <stdatomic.h>
#include <stdbool.h>

static atomic_int missing = 2;
static atomic_bool sense;
static int d[2];

static void meet(bool *mine) {
  if (!*mine) *mine = true;
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
