// Each other one is not.
// expect: sum violated
// race: 25 55
// race: 25 56
#define JOINS \
  for (int i = n - 1; i >= 0; i -= 2) pthread_join(threads[i], NULL)
#include "joined_back.c"
