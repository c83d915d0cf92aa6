// It is changed once more.
// expect: scale violated
// race: 27 27
#define CHANGE                        \
  if (args[t].to > n) args[t].to = n; \
  if (argv[1][0] == '1') args[t].to = n
#include "size_four.c"
