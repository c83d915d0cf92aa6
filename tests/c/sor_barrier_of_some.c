// A barrier that one thread goes round.
// expect: make_rows atomic
// expect: sum_of_rows violated
// expect: sweep violated
// race: 43 43
// race: 43 57
#define BARRIER() (me == 1 ? 0 : pthread_barrier_wait(&barrier))
#include "sor.h"
