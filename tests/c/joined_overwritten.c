// A handle is overwritten before the joins.
// expect: sum violated
// race: 37 62
// race: 37 63
#define BETWEEN threads[0] = threads[n - 1]
#include "joined.c"
