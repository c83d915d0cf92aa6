// Up to a number of half of the bits, and with it.
// expect: fill atomic
#define T size_t
#define MORE(i) (i) <= n
#include "part_step.c"
