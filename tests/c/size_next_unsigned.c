// Likewise, numbers of 32 bits.
// expect: scale atomic
#define T unsigned
#include "size_next.c"
