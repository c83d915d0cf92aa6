// Those are one shorter, which may be less than nothing.
// expect: scale violated
// race: 19 19
#define T int
#define MORE -2 * (t >= n % threads)
#include "size_next.c"
