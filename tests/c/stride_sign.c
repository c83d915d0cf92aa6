// With a sign, and a number of threads that is greater than 0 where there is one.
// expect: scale atomic
#define COUNT int
#include "stride.c"
