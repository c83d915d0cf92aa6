// It may go back without an access.
// expect: scale violated
// race: 40 40
#define LOOP(i) SIZE i = me;; i += STEP
#define SCALE(i) if (i >= n) continue; else data[i] = 2 * data[i] + 1
#include "stride.c"
