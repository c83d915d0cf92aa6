// The loop that fills may be left early.
// expect: add violated
// race: 39 40
// race: 40 40
#define SKIP(i) \
  if (rand() == i) break
#include "filled.c"
