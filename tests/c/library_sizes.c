// What a function writes has a size: what lies behind it is not touched, and what it writes is.
// expect: behind atomic
// expect: clock violated
// expect: received atomic
// expect: text violated
// race: 28 42
// race: 29 42
// race: 36 43
// race: 37 43
#include "two.h"

#include <time.h>
#include <unistd.h>

static struct {
  struct timespec now;
  int n;
} clocked;
static struct { char text[8], more[8]; } got;
static long seen;

static void first(void) {
  ATOMIC_BEGIN("behind");
  clocked.n++;
  clocked.n++;
  ATOMIC_END();
  ATOMIC_BEGIN("clock");
  clock_gettime(CLOCK_REALTIME, &clocked.now);
  seen = clocked.now.tv_nsec;
  ATOMIC_END();
  ATOMIC_BEGIN("received");
  seen += got.more[0];
  seen += got.more[1];
  ATOMIC_END();
  ATOMIC_BEGIN("text");
  seen += got.text[6];
  seen += got.text[7];
  ATOMIC_END();
}

static void second(void) {
  clock_gettime(CLOCK_REALTIME, &clocked.now);
  read(0, got.text, 8);
}
