// The end of the last part is changed.
// expect: scale atomic
#define CHANGE \
  if (t == threads - 1) args[t].to = n
#include "size_clip.c"
