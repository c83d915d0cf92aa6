// A constant that is less by one than the largest number: the last step wraps around.
// expect: fill violated
// race: 26 26
// race: 26 27
// race: 27 27
#define MORE(i) (i) < 0xfffffffe
#include "part_step.c"
