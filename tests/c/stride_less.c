// The step is one less.
// expect: scale violated
// race: 40 40
#define STEP threads - 1
#include "stride.c"
