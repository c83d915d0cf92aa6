// What is counted is the first account.
// expect: add violated
// race: 23 23
#define OTHER 0
#include "objects_short.c"
