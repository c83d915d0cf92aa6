// The barrier waits for one more, and so for ever.
// expect: step atomic
#define COUNT(n) ((n) + 1)
#include "any_jacobi.c"
