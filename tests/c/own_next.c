// Main takes the sum of a thread that it has not joined.
// expect: add violated
// expect: show violated
// race: 44 44
// race: 44 70
// race: 44 71
#define SHOWN(i) ((i) + 1 < all ? (i) + 1 : 0)
#include "own.c"
