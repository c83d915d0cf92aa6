// How many sweeps there are is changed while they are made.
// expect: make_rows atomic
// expect: sum_of_rows violated
// expect: sweep violated
// race: 43 57
// race: 66 66
#define SWEEPS(t) (n_sweeps = rand())
#include "sor.h"
