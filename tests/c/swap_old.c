// What a compare-and-swap has found is known, too; and what it expects may be what was read before.
// expect: found atomic
// expect: counted atomic
#include "two.h"

#include <stdatomic.h>

static volatile int lock;
static atomic_int left = 1;
static int a, b;

static int swap(volatile int *at, int expected, int new) { return __sync_val_compare_and_swap(at, expected, new); }

static void take(void) {
  int seen = atomic_load(&left);
  while (seen <= 0 || !atomic_compare_exchange_weak(&left, &seen, seen - 1)) seen = atomic_load(&left);
}

static void both(void) {
  while (swap(&lock, 0, 1) == 1) {}
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
