// The structure is filled before it is assigned.
// expect: known atomic
// expect: made atomic
// expect: told violated
// race: 27 27
// race: 27 28
// race: 28 28
#include <string.h>

#define CHANGE memset(&it.id, 0, sizeof it.id)
#include "literal.c"
