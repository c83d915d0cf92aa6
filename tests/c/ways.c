// Ways that leave loops in the middle, come into them in the middle, and end a block at several places.
// expect: ends violated
// expect: held atomic
// expect: inner violated
// expect: middle violated
// expect: steps violated
// race: 23 51
// race: 28 51
// race: 36 52
// race: 36 64
// race: 40 52
// race: 40 64
// race: 42 56
// race: 42 59
// race: 42 60
// race: 42 66
#include "two.h"
static int a, b, c, d, x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int other(void);
static void first(void) {
  ATOMIC_BEGIN("ends");
  a++;
  if (other()) {
    ATOMIC_END();
    return;
  }
  a++;
  ATOMIC_END();
  pthread_mutex_lock(&lock);
  c = d;
  pthread_mutex_unlock(&lock);
  ATOMIC_BEGIN("middle");
  if (other()) goto middle;
  while (other()) {
    b++;
  middle:
    if (other()) break;
    if (other()) goto out;
    b--;
  }
  x++;
out:
  ATOMIC_END();
}
static int other(void) {
  extern int rand(void);
  return rand() & 1;
}
static void second(void) {
  a = 0;
  b = 0;
  ATOMIC_BEGIN("steps");
  for (int i = 0; other(); i++) {
    switch (rand() % 4) {
    case 0: x = 1; continue;
    case 1:
      ATOMIC_BEGIN("inner");
      x = 2;
      x = 3;
      ATOMIC_END();
      break;
    case 2: goto out;
    default: b = 1;
    }
    x = 5;
  }
out:
  ATOMIC_END();
  ATOMIC_BEGIN("held");
  pthread_mutex_lock(&lock);
  for (;;) {
    for (;;) {
      if (other()) break;
      c++;
      if (other()) goto done;
    }
    d++;
    if (other()) goto done;
  }
done:
  pthread_mutex_unlock(&lock);
  ATOMIC_END();
}
