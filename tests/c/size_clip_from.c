// Parts begin one earlier, but for the first one.
// expect: scale violated
// race: 14 14
#define CHANGE \
  if (t) args[t].from--
#include "size_clip.c"
