// Two threads that have the same number.
// expect: scale violated
// race: 12 12
#define NUMBER(t) ((t) / 2)
#include "any_block.c"
