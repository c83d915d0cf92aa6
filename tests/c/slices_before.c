// What is copied is the same for all.
// expect: scale violated
// race: 27 27
#define BEFORE Arg a = {0, 0, n, data}
#define FILL args[t] = a
#include "slices.c"
