// A thread overwrites a handle.
// expect: sum violated
// race: 37 62
// race: 37 63
// race: 43 43
// race: 43 49
// race: 43 53
#define RUN cheat
#define MORE                           \
  static void *cheat(void *argument) { \
    threads[0] = pthread_self();       \
    return run(argument);              \
  }
#include "joined.c"
