// The other ones are one longer.
// expect: scale atomic
#define T int
#define MORE (t >= n % threads)
#include "size_next.c"
