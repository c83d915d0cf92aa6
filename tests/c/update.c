// A read-modify-write is one event.
// expect: add atomic
// expect: add_twice violated
#include "two.h"

#include <stdatomic.h>

static atomic_int n;

static void first(void) {
  ATOMIC_BEGIN("add");
  atomic_fetch_add(&n, 1);
  ATOMIC_END();
}

static void second(void) {
  ATOMIC_BEGIN("add_twice");
  atomic_fetch_add(&n, 1);
  atomic_fetch_add(&n, 1);
  ATOMIC_END();
}
