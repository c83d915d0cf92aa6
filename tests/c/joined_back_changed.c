// A handle is overwritten.
// expect: sum violated
// race: 25 55
// race: 25 56
#define BETWEEN threads[k] = threads[0]
#include "joined_back.c"
