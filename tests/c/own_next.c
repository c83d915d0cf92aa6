// Main takes the sum of a thread that it has not joined.
// expect: add violated
// expect: show violated
// race: 51 51
// race: 51 77
// race: 51 78
#define SHOWN(i) ((i) + 1 < all ? (i) + 1 : 0)
#include "own.c"
