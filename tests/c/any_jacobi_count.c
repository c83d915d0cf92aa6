// The barrier waits for one less.
// expect: step violated
// race: 15 15
#define COUNT(n) ((n)-1)
#include "any_jacobi.c"
