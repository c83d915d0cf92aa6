// It is that of another element.
// expect: bin violated
// race: 36 36
// race: 36 37
// race: 37 37
#define OTHER i + 1
#include "same_data.c"
