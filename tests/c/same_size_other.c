// It is another number.
// expect: add violated
// race: 31 31
// race: 31 32
// race: 31 53
// race: 32 32
// race: 32 53
#define SIZE other
#define LATER table->other = 3
#include "same_size.c"
