// A field is one object, another field another one.
// expect: both violated
// expect: one atomic
// race: 12 18
// race: 13 18
#include "two.h"

static struct { int a, b; } pair;

static void first(void) {
  ATOMIC_BEGIN("both");
  pair.a = 1;
  pair.a = 2;
  ATOMIC_END();
}

static void second(void) {
  const int a = pair.a;
  ATOMIC_BEGIN("one");
  pair.b = a;
  pair.b = 2;
  ATOMIC_END();
}
