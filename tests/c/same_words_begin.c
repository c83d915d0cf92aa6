// The threads change what the other function finds.
// expect: add violated
// race: 22 39
// race: 35 35
// race: 35 36
// race: 36 36
// race: 39 39
#define CHANGE begin++
#include "same_words.c"
