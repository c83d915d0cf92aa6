// Steps of numbers of 16 bits wrap around.
// expect: fill violated
// race: 26 26
// race: 26 27
// race: 27 27
#define T unsigned short
#define MORE(i) (i) < 65534
#include "part_step.c"
