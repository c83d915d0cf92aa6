// Nobody waits between the sweeps.
// expect: make_rows atomic
// expect: sweep violated
// race: 47 47
// sml: any_sor
#define BARRIER() ((void)0)
#include "any_sor.h"
