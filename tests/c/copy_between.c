// Of two objects that are copied, one to the other, another thread sees a part of the one, and changes the other one.
// expect: copy violated
// race: 12 17
#include "two.h"

#include <string.h>

static int from[3], to[3];

static void first(void) {
  ATOMIC_BEGIN("copy");
  memcpy(to, from, sizeof to);
  ATOMIC_END();
}

static void second(void) {
  if (to[0]) from[2] = 1;
}
