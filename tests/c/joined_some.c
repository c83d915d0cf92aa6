// Some are not joined.
// expect: sum violated
// race: 37 63
// race: 37 64
#define JOIN(i) \
  if (rand() != i) pthread_join(threads[i], NULL)
#include "joined.c"
