// They are created from the last one on, and what each has left is taken before it is joined.
// expect: own violated
// expect: take violated
// race: 29 29
// race: 29 37
// race: 29 38
// race: 30 30
// race: 30 37
// race: 30 38
#define PLACE(i) (all - 1 - (i))
#define ROUNDS for (n = 0; n < all; n++)
#define ROUND                 \
  {                           \
    take(&work[n]);           \
    pthread_join(t[n], NULL); \
  }
#include "joined_sums.c"
