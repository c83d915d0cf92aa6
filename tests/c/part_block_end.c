// A block ends one element behind the beginning of the next one.
// expect: fill violated
// race: 24 24
// race: 24 25
// race: 25 25
#define WRONG
#include "part_block.c"
