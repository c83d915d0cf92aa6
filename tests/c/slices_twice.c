// What is copied is stored in two places.
// expect: scale violated
// race: 27 27
#define FILL a.from = t * share, a.to = (t + 1) * share, a.data = data, a.to++, args[t] = a
#include "slices.c"
