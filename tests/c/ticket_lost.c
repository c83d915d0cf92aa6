// Where the number that is served goes on too early, twice, by two, or by somebody else's will, nobody has a lock; nor
// where it may wrap around, or where nobody waits for long enough.
// expect: early violated
// expect: foreign violated
// expect: less violated
// expect: set violated
// expect: short violated
// expect: steps violated
// expect: twice violated
// race: 35 35
// race: 39 39
// race: 45 45
// race: 50 50
// race: 56 56
// race: 62 62
// race: 67 67
#include "two.h"

#include <stdatomic.h>

static atomic_uint next[7], served[7];
static int a[7];

static void lock(int which) {
  const unsigned mine = atomic_fetch_add(&next[which], 1);
  while (atomic_load(&served[which]) != mine) {}
}

static void go_on(int which) { atomic_fetch_add(&served[which], 1); }

static void both(void) {
  lock(0);
  go_on(0);
  ATOMIC_BEGIN("early");
  a[0]++, a[0]++;
  ATOMIC_END();
  lock(1);
  ATOMIC_BEGIN("twice");
  a[1]++, a[1]++;
  ATOMIC_END();
  go_on(1);
  go_on(1);
  lock(2);
  ATOMIC_BEGIN("steps");
  a[2]++, a[2]++;
  ATOMIC_END();
  atomic_fetch_add(&served[2], 2);
  lock(3);
  ATOMIC_BEGIN("foreign");
  a[3]++, a[3]++;
  ATOMIC_END();
  go_on(3);
  unsigned mine = atomic_fetch_add(&next[4], 1);
  while (atomic_load(&served[4]) < mine) {}
  ATOMIC_BEGIN("less");
  a[4]++, a[4]++;
  ATOMIC_END();
  go_on(4);
  mine = atomic_fetch_add(&next[5], 1);
  while ((unsigned char)atomic_load(&served[5]) != (unsigned char)mine) {}
  ATOMIC_BEGIN("short");
  a[5]++, a[5]++;
  ATOMIC_END();
  go_on(5);
  lock(6);
  ATOMIC_BEGIN("set");
  a[6]++, a[6]++;
  ATOMIC_END();
  go_on(6);
}

static void first(void) {
  both();
  go_on(3);
}

static void second(void) {
  both();
  atomic_store(&served[6], 0);
}
