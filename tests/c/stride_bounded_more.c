// It may be one element longer than that.
// expect: scale violated
// race: 40 40
#define MORE 2
#include "stride_bounded.c"
