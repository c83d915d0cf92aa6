// An access at an unknown place may be to each element of an array, and one of all of it is to all of them.
// expect: known atomic
// expect: unknown violated
// expect: copied violated
// expect: cleared violated
// expect: across violated
// race: 27 43
// race: 30 44
// race: 33 45
// race: 34 45
// race: 37 46
// race: 38 46
#include "two.h"

#include <stdlib.h>
#include <string.h>

static int alone[4], any[4], copied[4], cleared[4], halves[4], copy[4];

static void first(void) {
  alone[rand() % 4] = 1;
  ATOMIC_BEGIN("known");
  copied[3]++;
  copied[3]++;
  ATOMIC_END();
  ATOMIC_BEGIN("unknown");
  any[1]++;
  ATOMIC_END();
  ATOMIC_BEGIN("copied");
  copied[0]++;
  ATOMIC_END();
  ATOMIC_BEGIN("cleared");
  cleared[0] = 1;
  cleared[1] = 1;
  ATOMIC_END();
  ATOMIC_BEGIN("across");
  halves[0] = 1;
  halves[1] = 1;
  ATOMIC_END();
}

static void second(void) {
  any[rand() % 4]++;
  memcpy(copied, copy, 3 * sizeof *copied);
  memset(cleared, 0, sizeof cleared);
  memcpy((char *)halves + rand() % 3, copy, 4);
}
