// The counter of the joins has fewer bits.
// expect: sum violated
// race: 17 34
// race: 17 35
#define COUNTER unsigned char
#include "joined_unsigned.c"
