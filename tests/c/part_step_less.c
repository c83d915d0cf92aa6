// The step is less than the number of threads.
// expect: fill violated
// race: 26 26
// race: 26 27
// race: 27 27
#define STEP 2
#include "part_step.c"
