// The step is not the number of threads.
// expect: fill violated
// race: 21 21
// race: 21 22
// race: 22 22
#define WRONG
#include "part_cyclic.c"
