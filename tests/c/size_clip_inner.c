// An end is changed again and again.
// expect: scale violated
// race: 14 14
#define CHANGE              \
  for (T k = 0; k < 3; k++) \
    if (args[t].to < n) args[t].to++
#include "size_clip.c"
