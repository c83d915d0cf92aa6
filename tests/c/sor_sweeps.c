// One thread makes a sweep more: its last one is while the others add up.
#define SWEEPS(t) (n_sweeps + ((t) == 1))
#include "sor.h"
