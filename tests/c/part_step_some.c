// Nor is it compared on each way back.
// expect: fill violated
// race: 26 26
// race: 26 27
// race: 27 27
#define MORE(i) (i) < N || (i) % 7
#include "part_step.c"
