// Some places are joined twice, and some never.
// expect: sum violated
// race: 25 55
// race: 25 56
#define JOINS \
  for (int i = n - 1; i >= 0; i--) pthread_join(threads[i / 2], NULL)
#include "joined_back.c"
