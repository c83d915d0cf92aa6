// As many were created before, to the same places.
// expect: sum violated
// race: 37 62
// race: 37 63
#define BETWEEN start()
#include "joined.c"
