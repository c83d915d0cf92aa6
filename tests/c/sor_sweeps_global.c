// How many sweeps there are is changed while they are made.
#define SWEEPS(t) (n_sweeps = rand())
#include "sor.h"
