// What the one before has left is taken, which has been joined.
// expect: own atomic
// expect: take atomic
#define ROUND                            \
  {                                      \
    if (n + 1 < all) take(&work[n + 1]); \
    pthread_join(t[n], NULL);            \
  }
#include "joined_sums.c"
