// All ends but one are changed.
// expect: scale violated
// race: 14 14
#define CHANGE \
  if (t != threads - 1) args[t].to = n
#include "size_clip.c"
