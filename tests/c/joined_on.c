// The loop of joins begins behind the first place, and finds each handle all the same.
// expect: sum atomic
#define JOINS \
  for (int i = 1; i <= n; i++) pthread_join(threads[i - 1], NULL)
#include "joined_back.c"
