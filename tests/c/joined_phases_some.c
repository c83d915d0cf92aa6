// Some of the others are not joined.
// expect: show violated
// expect: sum atomic
// race: 43 64
#define END n / 2
#include "joined_phases.c"
