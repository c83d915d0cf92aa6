// It is changed once there is a thread.
// expect: scale violated
// race: 27 27
// race: 27 43
#define CHANGE
#define LATER \
  if (args[t].to > n) args[t].to = n
#include "size_four.c"
