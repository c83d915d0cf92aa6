// Every other one is joined.
// expect: sum violated
// race: 37 62
// race: 37 63
#define STEP 2
#include "joined.c"
