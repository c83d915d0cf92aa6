// After the first step both are one buffer.
// expect: step violated
// race: 18 18
#define WRONG
#include "part_swap.c"
