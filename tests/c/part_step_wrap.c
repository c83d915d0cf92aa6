// Up to a number of as many bits: the last step may wrap around, and lead to an element of another thread.
// expect: fill violated
// race: 26 26
// race: 26 27
// race: 27 27
#define MORE(i) (i) < n
#include "part_step.c"
