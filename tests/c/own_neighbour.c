// A share is changed once the next thread has been made.
// expect: add violated
// expect: show atomic
// race: 51 52
// race: 51 72
// race: 52 52
// race: 52 72
#define LATER(i) \
  if (i) works[i - 1]->to = n
#include "own.c"
