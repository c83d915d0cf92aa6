// The step changes.
// expect: scale violated
// race: 40 40
#define LOOP(i) SIZE i = me, k = 0; i < n; i += threads + k++
#include "stride.c"
