// memcpy and the assignment of a structure read and write all their bytes.
// expect: copy violated
// race: 13 18
// race: 14 18
#include "two.h"

#include <string.h>

static struct { int a, b, c; } from, to;

static void first(void) {
  ATOMIC_BEGIN("copy");
  to = from;
  memcpy(&to, &from, sizeof to);
  ATOMIC_END();
}

static void second(void) { from.b = 1; }
