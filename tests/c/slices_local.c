// Likewise, a variable that is set, and copied.
// expect: scale atomic
#define FILL a.from = t * share, a.to = (t + 1) * share, a.data = data, args[t] = a
#include "slices.c"
