// A part of a member is changed before it is assigned.
// expect: known atomic
// expect: made atomic
// expect: told violated
// race: 27 27
// race: 27 28
// race: 28 28
#define CHANGE *(short *)&it.id = 3
#include "literal.c"
