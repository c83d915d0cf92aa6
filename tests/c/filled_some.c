// Some are not filled.
// expect: add violated
// race: 39 40
// race: 40 40
#define SKIP(i) \
  if (rand() == i) continue
#include "filled.c"
