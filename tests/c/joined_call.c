// A function joins what it is given.
// expect: sum atomic
#define JOINS \
  for (int i = 0; i < n; i++) join_one(threads[i])
#include "joined_back.c"
