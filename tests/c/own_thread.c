// The thread changes its share.
// expect: add violated
// expect: show atomic
// race: 51 52
// race: 51 53
// race: 52 52
// race: 52 53
// race: 53 53
#define THEN \
  w->to = n; \
  for (int i = w->from; i < w->to; i++) data[i]--
#include "own.c"
