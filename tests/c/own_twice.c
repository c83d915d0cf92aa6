// Two threads are made in a round.
// expect: add violated
// expect: show violated
// race: 51 51
// race: 51 52
// race: 51 77
// race: 51 78
// race: 52 52
#define SPAWN(i) \
  for (int k = 0; k < 2; k++) pthread_create(&threads[i], NULL, run, w)
#include "own.c"
