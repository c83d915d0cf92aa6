// One half of an end is changed.
// expect: scale violated
// race: 14 14
#define CHANGE \
  if (n > 9) ((int *)&args[t].to)[1] = 1
#include "size_clip.c"
