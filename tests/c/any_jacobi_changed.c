// The number of threads is another one than the barrier was made with.
// expect: step violated
// race: 15 15
#define BETWEEN n_threads = 2 * n_threads
#include "any_jacobi.c"
