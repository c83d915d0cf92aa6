// A step that is less than there are threads.
// expect: scale violated
// race: 11 11
#define STEP(all) ((all)-1)
#include "any_cyclic.c"
