// Every other one is joined.
// expect: sum violated
// race: 37 63
// race: 37 64
#define STEP 2
#include "joined.c"
