// A row goes on into the next one.
// expect: fill violated
// race: 24 24
// race: 24 25
// race: 25 25
#define WRONG
#include "part_flat.c"
