// What is known of a trylock's way is forgotten where it is computed anew.
// expect: both violated
// race: 19 36
// race: 20 36
// race: 23 37
#include "two.h"

#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n, m;

static void first(void) {
  int private[2] = {0, rand()}, *data = private, round = 0, seen = 0;
  ATOMIC_BEGIN("both");
  if (pthread_mutex_trylock(&lock)) {
    for (;;) {
      if (round && seen) {
        n = 1;
        n = 2;
        break;
      }
      if (round) m = 1;
      if (round) break;
      round = 1;
      seen = data[1];
    }
  } else {
    pthread_mutex_unlock(&lock);
  }
  ATOMIC_END();
}

static void second(void) {
  pthread_mutex_lock(&lock);
  n = 3;
  m = 3;
  pthread_mutex_unlock(&lock);
}
