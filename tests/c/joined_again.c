// As many were created before, to the same places.
// expect: sum violated
// race: 37 63
// race: 37 64
#define BETWEEN start()
#include "joined.c"
