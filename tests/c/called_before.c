// What the thread before was given is changed.
// expect: own violated
// race: 23 32
// race: 25 25
// race: 25 26
// race: 26 26
#define BEFORE \
  if (t) args[t - 1].at = 0
#include "called.c"
