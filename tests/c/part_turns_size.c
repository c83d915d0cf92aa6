// Likewise, without a sign.
// expect: own violated
// race: 28 28
// race: 28 29
// race: 29 29
#define T unsigned long
#include "part_turns.c"
