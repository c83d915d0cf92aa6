// What is copied is stored in some rounds alone.
// expect: scale violated
// race: 27 27
#define FILL                                     \
  if (t == 0 || n % (t + 1)) a.from = t * share; \
  a.to = (t + 1) * share, a.data = data, args[t] = a
#include "slices.c"
