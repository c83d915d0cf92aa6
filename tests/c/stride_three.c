// Three is none.
// expect: scale violated
// race: 40 40
#define FOUR 3
#include "stride_four.c"
