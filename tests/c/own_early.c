// Main takes the sum of a thread before it joins it.
// expect: add violated
// expect: show violated
// race: 51 51
// race: 51 77
// race: 51 78
#define EARLY
#include "own.c"
