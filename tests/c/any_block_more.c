// Blocks that overlap by one.
// expect: scale violated
// race: 12 12
#define END(from, chunk) ((from) + (chunk) + 1)
#include "any_block.c"
