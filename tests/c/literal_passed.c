// A function changes the structure before it is assigned.
// expect: known atomic
// expect: made atomic
// expect: told violated
// race: 27 27
// race: 27 28
// race: 28 28
static void halve(int *number) { *number /= 2; }

#define CHANGE halve(&it.id)
#include "literal.c"
