// One thread makes a sweep more: its last one is while the others add up.
// expect: make_rows atomic
// expect: sum_of_rows violated
// expect: sweep violated
// race: 43 57
#define SWEEPS(t) (n_sweeps + ((t) == 1))
#include "sor.h"
