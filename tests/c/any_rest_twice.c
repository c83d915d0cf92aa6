// Twice the number.
// expect: add violated
// race: 14 14
// race: 14 15
// race: 15 15
#define SLOT (2 * me)
#include "any_rest_own.c"
