// It is begun anew.
// expect: scale violated
// race: 19 19
#define T int
#define LATER if (t == 3) at = 0
#include "size_next.c"
