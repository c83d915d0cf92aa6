// Which ones are joined is not always one step away from the last one.
// expect: sum violated
// race: 25 55
// race: 25 56
#define JOINS                        \
  for (int i = n - 1; i >= 0; i--) { \
    int x = (i & 1) ? i : n - 1 - i; \
    pthread_join(threads[x], NULL);  \
  }
#include "joined_back.c"
