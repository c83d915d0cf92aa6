// A block that a recursive call begins again is not followed.
// expect: inner unknown
// gap: 10 calls itself in a marked block that it begins
#include "two.h"

static int n;

static void inner(int depth) {
  ATOMIC_BEGIN("inner");
  if (depth) { inner(depth - 1); }
  n = depth;
  ATOMIC_END();
}

static void first(void) { inner(1); }
static void second(void) {}
