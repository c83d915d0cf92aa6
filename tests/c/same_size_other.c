// It is another number.
// expect: add violated
// race: 31 55
// race: 33 33
// race: 33 34
// race: 34 34
#define SIZE other
#define LATER table->other = 3
#include "same_size.c"
