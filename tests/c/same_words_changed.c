// The threads change it.
// expect: add violated
// race: 26 37
// race: 33 33
// race: 33 34
// race: 34 34
// race: 37 37
#define CHANGE *key = 0
#include "same_words.c"
