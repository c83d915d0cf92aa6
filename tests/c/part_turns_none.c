// The same is added each time.
// expect: own atomic
#define STEP(k) 3
#include "part_turns.c"
