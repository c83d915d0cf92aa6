// A share is changed once the next thread has been made.
// expect: add violated
// expect: show atomic
// race: 44 45
// race: 44 65
// race: 45 45
// race: 45 65
#define LATER(i) \
  if (i) works[i - 1]->to = n
#include "own.c"
