// The threads change it.
// expect: add violated
// race: 29 37
// race: 31 37
// race: 33 33
// race: 33 34
// race: 34 34
// race: 37 37
#define CHANGE t->size--
#include "same_size.c"
