// One more of them is longer.
// expect: scale atomic
#define T int
#define MORE (t <= n % threads)
#include "size_next.c"
