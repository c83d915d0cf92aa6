// A byte of the structure is changed before it is assigned.
// expect: known atomic
// expect: made atomic
// expect: told violated
// race: 27 27
// race: 27 28
// race: 28 28
#define CHANGE ((char *)&it)[n % 4] = 0
#include "literal.c"
