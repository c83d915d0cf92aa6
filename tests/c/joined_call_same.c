// It is given the same one each time.
// expect: sum violated
// race: 25 55
// race: 25 56
#define JOINS \
  for (pthread_t one = threads[0], *p = threads; p < threads + n; p++) join_one(one)
#include "joined_back.c"
