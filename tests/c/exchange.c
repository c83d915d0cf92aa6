// What an exchange has found is known: locks that are taken by test-and-set, and who comes first.
// expect: flag atomic
// expect: once atomic
// expect: patient atomic
#include "two.h"

#include <stdatomic.h>
#include <stdbool.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static atomic_int word;
static atomic_bool begun;
static int a, b, c;

static void lock(atomic_int *l) {
  for (int pause = 1;; pause *= 2) {
    while (atomic_load_explicit(l, memory_order_relaxed)) {}
    if (!atomic_exchange(l, 1)) return;
    for (volatile int i = 0; i < pause; i++) {}
  }
}

static void unlock(atomic_int *l) { atomic_store(l, 0); }

static void both(void) {
  ATOMIC_BEGIN("flag");
  while (atomic_flag_test_and_set(&flag)) {}
  a++, a++;
  atomic_flag_clear(&flag);
  ATOMIC_END();
  lock(&word);
  ATOMIC_BEGIN("patient");
  b++, b++;
  ATOMIC_END();
  unlock(&word);
  if (!atomic_exchange(&begun, true)) {
    ATOMIC_BEGIN("once");
    c++, c++;
    ATOMIC_END();
  }
}

static void first(void) { both(); }
static void second(void) { both(); }
