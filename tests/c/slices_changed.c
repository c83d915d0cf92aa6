// What is copied is changed before, by whoever has its address.
// expect: scale violated
// race: 27 27
#define FILL a.from = t * share, a.to = (t + 1) * share, a.data = data, change(&a), args[t] = a
#include "slices.c"
