// The first one is not joined.
// expect: sum violated
// race: 37 63
// race: 37 64
#define BEGIN 1
#include "joined.c"
