// An end is changed where another call creates the thread, or where it is not.
// expect: scale violated
// race: 14 14
#define CHANGE                                                  \
  if (t % 2) {                                                  \
    if (pthread_create(&ids[t], NULL, run, &args[t])) return 3; \
    continue;                                                   \
  }                                                             \
  args[t].to = n
#include "size_clip.c"
