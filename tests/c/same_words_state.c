// The other function has a state.
// expect: add violated
// race: 22 22
// race: 33 33
// race: 33 34
// race: 34 34
#define FIRST state++
#include "same_words.c"
