// Likewise, numbers with a sign.
// expect: scale atomic
#define T int
#include "size_next.c"
