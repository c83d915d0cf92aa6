// What any one has left is taken.
// expect: own violated
// expect: take violated
// race: 24 24
// race: 24 32
// race: 24 33
// race: 25 25
// race: 25 32
// race: 25 33
#define ROUND                 \
  {                           \
    pthread_join(t[n], NULL); \
    take(&work[k]);           \
  }
#include "joined_sums.c"
