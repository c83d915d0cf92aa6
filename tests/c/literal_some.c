// A member is changed on some ways before it is assigned.
// expect: known atomic
// expect: made atomic
// expect: told violated
// race: 27 27
// race: 27 28
// race: 28 28
#define CHANGE \
  if (i % 2) it.id = 0
#include "literal.c"
