// The next element is read.
// expect: scale violated
// race: 40 40
#define SCALE(i) data[i] = 2 * data[i + 1] + 1
#include "stride.c"
