// Parts are longer than they should be.
// expect: scale violated
// race: 21 21
#define END from + chunk + 1
#include "size_mixed.c"
