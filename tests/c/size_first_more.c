// One of them too many does so.
// expect: scale violated
// race: 16 16
#define MORE t <= r
#include "size_first.c"
