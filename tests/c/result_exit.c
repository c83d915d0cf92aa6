// The thread ends by pthread_exit.
// expect: add atomic
// expect: sum atomic
#define END(r) pthread_exit(r)
#include "result.c"
