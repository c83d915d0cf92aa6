// One of two numbers is added.
// expect: scale atomic
#define T unsigned
#define Q (t < n % threads ? n / threads + 1 : n / threads)
#define MORE 0
#include "size_next.c"
