// Likewise, as a function says.
// expect: own violated
// race: 28 28
// race: 28 29
// race: 29 29
#define STEP(k) by_turns(k)
#include "part_turns.c"
