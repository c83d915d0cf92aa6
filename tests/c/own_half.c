// Two threads have one structure.
// expect: add violated
// expect: show violated
// race: 44 44
// race: 44 45
// race: 44 61
// race: 44 62
// race: 44 63
// race: 44 70
// race: 44 71
// race: 45 45
// race: 45 61
// race: 45 62
#define TAKE(i) ((i) % 2 ? works[(i)-1] : malloc(sizeof(struct work)))
#include "own.c"
