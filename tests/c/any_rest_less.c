// It is divided by one less.
// expect: add violated
// race: 14 14
// race: 14 15
// race: 15 15
#define ALL (all - 1)
#include "any_rest_own.c"
