// A thread overwrites a handle.
// expect: sum violated
// race: 37 63
// race: 37 64
// race: 43 43
// race: 43 50
// race: 43 54
#define RUN cheat
#define MORE                           \
  static void *cheat(void *argument) { \
    threads[0] = pthread_self();       \
    return run(argument);              \
  }
#include "joined.c"
