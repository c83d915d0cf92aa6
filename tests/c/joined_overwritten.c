// A handle is overwritten before the joins.
// expect: sum violated
// race: 37 63
// race: 37 64
#define BETWEEN threads[0] = threads[n - 1]
#include "joined.c"
