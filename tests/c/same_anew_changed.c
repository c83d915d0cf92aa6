// It is changed in between.
// expect: add violated
// race: 26 26
// race: 26 27
// race: 27 27
#define CHANGE key = key / 2
#include "same_anew.c"
