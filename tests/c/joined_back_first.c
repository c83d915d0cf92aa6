// The thread that was created last is not joined.
// expect: sum violated
// race: 25 55
// race: 25 56
#define JOINS \
  for (int i = n - 2; i >= 0; i--) pthread_join(threads[i], NULL)
#include "joined_back.c"
