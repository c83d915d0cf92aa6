// A plane goes on into the next one.
// expect: fill violated
// race: 17 17
#define LAST rows
#include "any_planes.c"
