// Nor is six, of which two is the greatest that divides it.
// expect: scale violated
// race: 40 40
#define FOUR 6
#include "stride_four.c"
