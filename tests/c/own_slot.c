// The table has one structure at two places.
// expect: add violated
// expect: show violated
// race: 44 44
// race: 44 70
// race: 44 71
#define PUT(i)  \
  works[i] = w; \
  if (i) works[(i)-1] = w
#include "own.c"
