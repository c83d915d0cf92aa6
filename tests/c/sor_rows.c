// A thread's last row is the next one's first.
// expect: make_rows violated
// expect: sum_of_rows atomic
// expect: sweep violated
// race: 36 36
// race: 36 37
// race: 37 37
// race: 43 43
#define END(t) ((int)((long long)size * ((t) + 1) / THREADS) + 1)
#include "sor.h"
