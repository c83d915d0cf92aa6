// Two threads are made in a round.
// expect: add violated
// expect: show violated
// race: 44 44
// race: 44 45
// race: 44 70
// race: 44 71
// race: 45 45
#define SPAWN(i) \
  for (int k = 0; k < 2; k++) pthread_create(&threads[i], NULL, run, w)
#include "own.c"
