// The end of the part before is changed.
// expect: scale violated
// race: 14 14
// race: 30 45
#define CHANGE \
  if (t) args[t - 1].to = n
#include "size_clip.c"
