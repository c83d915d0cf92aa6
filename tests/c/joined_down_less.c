// Not all of them.
// expect: sum violated
// race: 25 55
// race: 25 56
#define JOINS join_down(threads, n - 1)
#include "joined_back.c"
