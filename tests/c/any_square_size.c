// Likewise, by products of sizes, of numbers with a sign.
// expect: fill atomic
#define WIDE size_t
#include "any_square.c"
