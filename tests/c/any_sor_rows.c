// A thread's last row is the next one's first.
// expect: make_rows violated
// expect: sweep violated
// race: 40 40
// race: 40 41
// race: 41 41
// race: 47 47
// sml: any_sor
#define END(t) ((int)((long long)size * ((t) + 1) / n_threads) + 1)
#include "any_sor.h"
