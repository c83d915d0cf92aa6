// What is copied has been copied itself.
// expect: scale violated
// race: 27 27
#define FILL a.from = t * share, a.to = (t + 1) * share, a.data = data, memcpy(&a, &other, sizeof a), args[t] = a
#include "slices.c"
