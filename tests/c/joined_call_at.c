// A function joins what is where it is told.
// expect: sum atomic
#define JOINS \
  for (int i = 0; i < n; i++) join_at(&threads[i])
#include "joined_back.c"
