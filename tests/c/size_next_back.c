// Each part begins one earlier.
// expect: scale violated
// race: 19 19
#define T int
#define FIRST at - 1
#include "size_next.c"
