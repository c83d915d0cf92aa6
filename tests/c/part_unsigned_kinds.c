// A row is shorter than what is counted in it.
// expect: count violated
// expect: merge atomic
// race: 24 24
#define WRONG
#include "part_unsigned.c"
