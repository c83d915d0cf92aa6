// A block that is open on some ways, and not on others, is not followed.
// expect: some unknown
// gap: 12 a marked block is open on some ways here, and not on others
// gap: 14 ends a marked block that this call has not begun
#include "two.h"

#include <stdlib.h>

static int n;

static void first(void) {
  if (rand()) ATOMIC_BEGIN("some");
  n++;
  if (rand()) ATOMIC_END();
}

static void second(void) {}
