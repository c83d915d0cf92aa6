// What is done in the loop of joins meets the threads that are joined later.
// expect: sum atomic
// race: 25 53
#define JOINS                   \
  for (int i = 0; i < n; i++) { \
    join_at(&threads[i]);       \
    total++;                    \
  }
#include "joined_back.c"
