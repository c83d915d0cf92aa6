// The threads change it.
// expect: add violated
// race: 26 39
// race: 35 35
// race: 35 36
// race: 36 36
// race: 39 39
#define CHANGE *key = 0
#include "same_words.c"
