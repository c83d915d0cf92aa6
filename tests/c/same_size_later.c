// Main changes it later.
// expect: add violated
// race: 30 53
// race: 31 31
// race: 31 32
// race: 31 53
// race: 32 32
// race: 32 53
// race: 33 53
#define LATER table->size = 3
#include "same_size.c"
