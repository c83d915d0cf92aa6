// The handle of the thread before is overwritten.
// expect: all violated
// expect: own violated
// race: 20 20
// race: 20 36
// race: 20 37
// race: 21 21
// race: 21 36
// race: 21 37
#define BEFORE \
  if (t) threads[t - 1] = threads[0]
#include "joined_called.c"
