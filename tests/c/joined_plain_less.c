// One thread is not joined.
// expect: add violated
// expect: later violated
// expect: sum violated
// race: 25 25
// race: 25 26
// race: 25 33
// race: 25 34
// race: 25 41
// race: 26 26
// race: 26 33
// race: 26 34
// race: 26 41
#define END n - 1
#include "joined_plain.c"
