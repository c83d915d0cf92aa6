// A member is changed once it is assigned.
// expect: known atomic
// expect: made atomic
// expect: told violated
// race: 27 27
// race: 27 28
// race: 28 28
#define LATER all[i].id /= 2
#include "literal.c"
