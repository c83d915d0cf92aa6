// There is not an access in each round, and n may be so large that the number wraps around.
// expect: scale violated
// race: 40 40
#define SCALE(i) if (i % 5) data[i] = 2 * data[i] + 1
#include "stride.c"
