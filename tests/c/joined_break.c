// The loop of joins may be left early.
// expect: sum violated
// race: 37 63
// race: 37 64
#define JOIN(i)           \
  if (rand() == i) break; \
  else pthread_join(threads[i], NULL)
#include "joined.c"
