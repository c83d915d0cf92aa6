// Numbers of 32 bits wrap around where the array is as long as there are.
// expect: scale violated
// race: 40 40
#define SIZE unsigned
#include "stride.c"
