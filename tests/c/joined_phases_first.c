// The others are created while some of the first ones run.
// expect: show violated
// expect: sum violated
// race: 37 43
// race: 37 63
// race: 37 64
#define FIRST_END n - 1
#include "joined_phases.c"
