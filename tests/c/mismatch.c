// A block that is open on some ways, and not on others, is not followed.
// expect: some unknown
// gap: 13 a marked block is open on some ways here, and not on others
// gap: 15 ends a marked block that this call has not begun
#include "two.h"

#include <stdlib.h>

static int n;

static void first(void) {
  const int marked = rand();
  if (marked) ATOMIC_BEGIN("some");
  n++;
  if (marked) ATOMIC_END();
}

static void second(void) {}
