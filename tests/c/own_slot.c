// The table has one structure at two places.
// expect: add violated
// expect: show violated
// race: 51 51
// race: 51 77
// race: 51 78
#define PUT(i)  \
  works[i] = w; \
  if (i) works[(i)-1] = w
#include "own.c"
