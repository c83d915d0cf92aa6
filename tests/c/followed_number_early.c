// A cell is followed, too, if what is stored in it is a number that is known in each call (here the wrong one).
// expect: ordered violated
// race: 16 22
#include "two.h"

#include <stdatomic.h>

static atomic_int stage;
static int n;

static void enter(int which) { atomic_store(&stage, which + 1); }

static void first(void) {
  while (atomic_load(&stage) != 1) {}
  ATOMIC_BEGIN("ordered");
  n++, n++;
  ATOMIC_END();
}

static void second(void) {
  enter(0);
  n = 1;
  enter(1);
}
