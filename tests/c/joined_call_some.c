// It joins some of them.
// expect: sum violated
// race: 25 55
// race: 25 56
#define JOINS \
  for (int i = 0; i < n; i++) join_some(threads[i])
#include "joined_back.c"
