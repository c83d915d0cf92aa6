// Parts that overlap by one.
// expect: scale violated
// race: 16 16
#define LENGTH chunk + 1
#include "size_up.c"
