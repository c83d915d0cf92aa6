// The values of a counter are followed: who takes the last one off it is alone.
// expect: leave atomic
// expect: left atomic
// expect: seldom atomic
#include "two.h"

#include <stdatomic.h>

static atomic_int users = 2, others = 2, few;
static int a, b, c;

static void leave(void) {
  ATOMIC_BEGIN("leave");
  if (atomic_fetch_sub(&users, 1) == 1) {
    a++;
    a++;
  }
  ATOMIC_END();
  ATOMIC_BEGIN("left");
  const int left = atomic_fetch_add(&others, -1) - 1;
  if (left == 0) {
    b++;
    b++;
  }
  ATOMIC_END();
}

static void first(void) {
  leave();
  atomic_fetch_add(&few, 1);
  c = 1;
}

static void second(void) {
  leave();
  ATOMIC_BEGIN("seldom");
  if (atomic_load(&few) > 1) {
    c = 2;
    c = 3;
  }
  ATOMIC_END();
}
