// Likewise, by products of sizes.
// expect: fill violated
// race: 16 16
#define LAST size
#define WIDE size_t
#include "any_square.c"
