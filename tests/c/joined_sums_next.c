// What the next one has left is taken.
// expect: own violated
// expect: take violated
// race: 29 29
// race: 29 37
// race: 29 38
// race: 30 30
// race: 30 37
// race: 30 38
#define ROUND                      \
  {                                \
    pthread_join(t[n], NULL);      \
    if (n > 0) take(&work[n - 1]); \
  }
#include "joined_sums.c"
