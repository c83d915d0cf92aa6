// It is that of another element.
// expect: bin violated
// race: 34 34
// race: 34 35
// race: 35 35
#define OTHER i + 1
#include "same_data.c"
