// Nobody waits.
// expect: step violated
// race: 15 15
#define WAIT() ((void)0)
#include "any_jacobi.c"
