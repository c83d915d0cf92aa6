// Each share is one too long.
// expect: add violated
// expect: show atomic
// race: 51 52
// race: 52 52
#define END(i) (((i) + 1) * chunk + 1)
#include "own.c"
