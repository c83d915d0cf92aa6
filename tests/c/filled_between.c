// Main does what the threads do once they run.
// expect: add violated
// race: 39 39
// race: 39 40
// race: 40 40
#define LATER run(&works[0])
#include "filled.c"
