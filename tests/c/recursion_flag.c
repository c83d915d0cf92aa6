// A flag that a recursive function looks at is what it is at each look.
// expect: looks violated
// expect: never atomic
// race: 16 31
// race: 16 32
// race: 16 33
// race: 18 32
// race: 18 34
// race: 26 32
// race: 26 34
#include "two.h"

static int flag, never, n;

static void look(int depth) {
  if (flag) n++;
  if (depth) look(depth - 1);
  if (never) n = 7;
}

static void first(void) {
  ATOMIC_BEGIN("looks");
  look(3);
  ATOMIC_END();
  ATOMIC_BEGIN("never");
  if (never) n = 8;
  ATOMIC_END();
}

static void second(void) {
  flag = 1;
  n = 5;
  flag = 0;
  never = 0;
}
