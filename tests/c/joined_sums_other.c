// What any one has left is taken.
// expect: own violated
// expect: take violated
// race: 29 29
// race: 29 37
// race: 29 38
// race: 30 30
// race: 30 37
// race: 30 38
#define ROUND                 \
  {                           \
    pthread_join(t[n], NULL); \
    take(&work[k]);           \
  }
#include "joined_sums.c"
