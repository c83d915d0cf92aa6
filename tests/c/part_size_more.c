// A part is longer than it should be.
// expect: fill violated
// race: 26 26
// race: 26 27
// race: 27 27
#define WRONG
#include "part_size.c"
