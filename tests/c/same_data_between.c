// Main changes it where there may be a thread.
// expect: bin violated
// race: 33 51
// race: 34 34
// race: 34 35
// race: 34 51
// race: 35 35
// race: 35 51
// race: 36 51
#define BETWEEN data[t] = 0
#include "same_data.c"
