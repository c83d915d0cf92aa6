// The thread changes its share.
// expect: add violated
// expect: show atomic
// race: 44 45
// race: 44 46
// race: 45 45
// race: 45 46
// race: 46 46
#define THEN \
  w->to = n; \
  for (int i = w->from; i < w->to; i++) data[i]--
#include "own.c"
