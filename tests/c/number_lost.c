// A number that is another one in another call, in another round, or that wraps, is not known.
// expect: calls violated
// expect: rounds violated
// expect: wraps violated
// expect: back violated
// race: 23 41
// race: 23 42
// race: 28 43
// race: 28 44
// race: 33 45
// race: 33 46
// race: 36 47
// race: 36 48
#include "two.h"

static int calls[4], rounds[4], wraps[4], back[4];

static int same(int n) { return n; }
static int down(int n) { return n ? down(n - 1) : n; }

static void first(void) {
  ATOMIC_BEGIN("calls");
  for (int i = 0; i < 2; i++) calls[same(i)]++;
  ATOMIC_END();
  ATOMIC_BEGIN("rounds");
  int k = 0;
  while (k < 3) k++;
  rounds[k]++;
  ATOMIC_END();
  ATOMIC_BEGIN("wraps");
  unsigned char small = 255;
  small = (unsigned char)(small + same(2));
  wraps[small]++;
  ATOMIC_END();
  ATOMIC_BEGIN("back");
  back[down(2)]++;
  ATOMIC_END();
}

static void second(void) {
  calls[1] = 1;
  calls[1] = 2;
  rounds[3] = 1;
  rounds[3] = 2;
  wraps[1] = 1;
  wraps[1] = 2;
  back[0] = 1;
  back[0] = 2;
}
