// The other function has a state.
// expect: add violated
// race: 22 22
// race: 35 35
// race: 35 36
// race: 36 36
#define FIRST state++
#include "same_words.c"
