// The threads change it.
// expect: add violated
// race: 30 35
// race: 31 31
// race: 31 32
// race: 31 35
// race: 32 32
// race: 32 35
// race: 33 35
// race: 35 35
#define CHANGE t->size--
#include "same_size.c"
