// Two threads have one number.
// expect: scale violated
// race: 40 40
#define NUMBER(t) ((t) / 2)
#include "stride.c"
