// The loop of joins may be left early.
// expect: add violated
// expect: later violated
// expect: sum violated
// race: 25 25
// race: 25 26
// race: 25 33
// race: 25 34
// race: 25 41
// race: 25 61
// race: 26 26
// race: 26 33
// race: 26 34
// race: 26 41
// race: 26 61
#define LEAVE \
  if (counts[i] > 5) break
#include "joined_plain.c"
