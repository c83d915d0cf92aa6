// An array as long as a variable says is memory of its function, as all local variables are.
// expect: own atomic
// expect: shared violated
// race: 17 28
// race: 17 29
// race: 22 29
// race: 23 29
#include "two.h"

#include <stdlib.h>

static int *passed;

static void first(void) {
  const int n = rand() % 9 + 1;
  int own[n], shared[n];
  passed = &shared[n - 1];
  ATOMIC_BEGIN("own");
  own[0] = 1, own[0] = own[n - 1];
  ATOMIC_END();
  ATOMIC_BEGIN("shared");
  shared[n - 1] = own[0];
  shared[n - 1] = own[0];
  ATOMIC_END();
}

static void second(void) {
  if (!passed) return;
  *passed = 3;
}
