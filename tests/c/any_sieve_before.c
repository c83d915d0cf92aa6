// It is rounded down, and lies before the part.
// expect: sieve violated
// race: 13 13
#define BEFORE p
#include "any_sieve.c"
