// It is changed to more.
// expect: scale violated
// race: 27 27
#define CHANGE \
  if (args[t].to < n) args[t].to++
#include "size_four.c"
