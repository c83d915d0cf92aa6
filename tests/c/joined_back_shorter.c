// There are fewer rounds than threads, as their number is another one by then.
// expect: sum violated
// race: 25 55
// race: 25 56
#define BETWEEN n = k
#include "joined_back.c"
