// No barrier between the sweeps.
// expect: make_rows atomic
// expect: sum_of_rows violated
// expect: sweep violated
// race: 43 43
// race: 43 57
#define BARRIER()
#include "sor.h"
