// What is used is the fork behind the next one.
// expect: eat violated
// race: 27 28
#define NEXT (me + 2) % N
#include "objects_philosophers.c"
