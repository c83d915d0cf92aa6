// The threads change it.
// expect: bin violated
// race: 32 40
// race: 34 40
// race: 36 36
// race: 36 37
// race: 37 37
#define CHANGE data[n - i] = 0
#include "same_data.c"
