// Each share is one too long.
// expect: add violated
// expect: show atomic
// race: 44 45
// race: 45 45
#define END(i) (((i) + 1) * chunk + 1)
#include "own.c"
