// Of two changes the last one is too much.
// expect: scale violated
// race: 14 14
#define CHANGE                        \
  if (args[t].to > n) args[t].to = n; \
  if (args[t].to < n) args[t].to++
#include "size_clip.c"
