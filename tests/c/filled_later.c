// One is changed once the threads run.
// expect: add violated
// race: 39 40
// race: 39 61
// race: 40 40
// race: 40 61
#define LATER works[0].to = n
#include "filled.c"
