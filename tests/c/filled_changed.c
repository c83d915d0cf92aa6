// One is changed before the threads are created.
// expect: add violated
// race: 39 40
// race: 40 40
#define BETWEEN works[0].to = n
#include "filled.c"
