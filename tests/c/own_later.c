// A share is changed once its thread runs.
// expect: add violated
// expect: show atomic
// race: 51 52
// race: 51 72
// race: 52 52
// race: 52 72
#define LATER(i) w->to = n
#include "own.c"
