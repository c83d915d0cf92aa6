// Two threads have one structure.
// expect: add violated
// race: 39 39
// race: 39 40
// race: 39 65
// race: 40 40
#define WORK(i) &works[(i) / 2]
#include "filled.c"
