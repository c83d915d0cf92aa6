// Who ends the process comes to nothing that follows.
// expect: add atomic
#include "two.h"

#include <stdlib.h>

static int n;

static void first(void) {
  ATOMIC_BEGIN("add");
  n++;
  ATOMIC_END();
}

static void second(void) {
  exit(0);
  n = 5;
}
