// What the next one has left is taken.
// expect: own violated
// expect: take violated
// race: 24 24
// race: 24 32
// race: 24 33
// race: 25 25
// race: 25 32
// race: 25 33
#define ROUND                      \
  {                                \
    pthread_join(t[n], NULL);      \
    if (n > 0) take(&work[n - 1]); \
  }
#include "joined_sums.c"
