// Each share begins one too early.
// expect: scale violated
// race: 12 12
#define FIRST(me, all) ((int)((long long)size * (me) / (all)) - 1)
#include "any_share.c"
