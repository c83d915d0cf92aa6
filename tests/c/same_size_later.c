// Main changes it later.
// expect: add violated
// race: 29 55
// race: 31 55
// race: 33 33
// race: 33 34
// race: 34 34
#define LATER table->size = 3
#include "same_size.c"
