// The threads change what the other function finds.
// expect: add violated
// race: 22 37
// race: 33 33
// race: 33 34
// race: 34 34
// race: 37 37
#define CHANGE begin++
#include "same_words.c"
