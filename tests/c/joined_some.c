// Some are not joined.
// expect: sum violated
// race: 37 62
// race: 37 63
#define JOIN(i) \
  if (rand() != i) pthread_join(threads[i], NULL)
#include "joined.c"
