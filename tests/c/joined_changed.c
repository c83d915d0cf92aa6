// How many there are is changed before the joins.
// expect: sum violated
// race: 37 63
// race: 37 64
#define BETWEEN n = n / 2
#include "joined.c"
