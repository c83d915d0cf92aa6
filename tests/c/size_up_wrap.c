// Of the largest number, the parts may begin where it has wrapped around.
// expect: scale violated
// race: 16 16
#define T unsigned
#define ROUND n / threads + (n % threads != 0)
#include "size_up.c"
