// The threads go on to the next barrier as they like.
// expect: half violated
// race: 25 25
#define WRONG
#include "part_colour.c"
