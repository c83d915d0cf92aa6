// Not the last thread takes what is left.
// expect: scale violated
// race: 12 12
#define LAST 0
#include "any_rest.c"
