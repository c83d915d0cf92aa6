// A share is changed once its thread runs.
// expect: add violated
// expect: show atomic
// race: 44 45
// race: 44 65
// race: 45 45
// race: 45 65
#define LATER(i) w->to = n
#include "own.c"
