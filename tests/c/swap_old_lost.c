// What a compare-and-swap has found is known, too: here that somebody else has the lock; and two may come in.
// expect: found violated
// expect: counted violated
// race: 24 24
// race: 29 29
#include "two.h"

#include <stdatomic.h>

static volatile int lock;
static atomic_int left = 2;
static int a, b;

static int swap(volatile int *at, int expected, int new) { return __sync_val_compare_and_swap(at, expected, new); }

static void take(void) {
  int seen = atomic_load(&left);
  while (seen <= 0 || !atomic_compare_exchange_weak(&left, &seen, seen - 1)) seen = atomic_load(&left);
}

static void both(void) {
  while (swap(&lock, 0, 1) == 0) {}
  ATOMIC_BEGIN("found");
  a++, a++;
  ATOMIC_END();
  __sync_lock_release(&lock);
  take();
  ATOMIC_BEGIN("counted");
  b++, b++;
  ATOMIC_END();
  atomic_fetch_add(&left, 1);
}

static void first(void) { both(); }
static void second(void) { both(); }
