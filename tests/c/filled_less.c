// The last structure is not filled.
// expect: add violated
// race: 39 40
// race: 40 40
#define FILLED all - 1
#include "filled.c"
