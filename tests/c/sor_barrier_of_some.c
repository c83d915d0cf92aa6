// A barrier that one thread goes round.
#define BARRIER() (me == 1 ? 0 : pthread_barrier_wait(&barrier))
#include "sor.h"
