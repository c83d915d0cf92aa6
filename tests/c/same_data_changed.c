// The threads change it.
// expect: bin violated
// race: 33 38
// race: 34 34
// race: 34 35
// race: 34 38
// race: 35 35
// race: 35 38
// race: 36 38
#define CHANGE data[n - i] = 0
#include "same_data.c"
