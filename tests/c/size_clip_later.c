// It is changed once there is a thread.
// expect: scale violated
// race: 14 14
// race: 30 47
#define CHANGE (void)0
#define LATER \
  if (args[t].to > n) args[t].to = n
#include "size_clip.c"
