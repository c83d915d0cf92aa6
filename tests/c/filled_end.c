// Each share is one too long.
// expect: add violated
// race: 39 40
// race: 40 40
#define END(i) (((i) + 1) * chunk + 1)
#include "filled.c"
