// All threads return one structure.
// expect: add violated
// expect: sum violated
// race: 39 39
// race: 39 57
// race: 39 58
// race: 40 40
// race: 40 58
#define MADE &all
#include "result.c"
