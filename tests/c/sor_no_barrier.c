// No barrier between the sweeps.
#define BARRIER()
#include "sor.h"
