// The last one is meant, too, which is in the array.
// expect: scale atomic
#define LOOP(i) SIZE i = me; i <= n; i += STEP
#include "stride.c"
