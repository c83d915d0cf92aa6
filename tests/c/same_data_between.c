// Main changes it where there may be a thread.
// expect: bin violated
// race: 32 53
// race: 34 53
// race: 36 36
// race: 36 37
// race: 37 37
#define BETWEEN data[t] = 0
#include "same_data.c"
