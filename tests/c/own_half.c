// Two threads have one structure.
// expect: add violated
// expect: show violated
// race: 51 51
// race: 51 52
// race: 51 68
// race: 51 69
// race: 51 70
// race: 51 77
// race: 51 78
// race: 52 52
// race: 52 68
// race: 52 69
#define TAKE(i) ((i) % 2 ? works[(i)-1] : malloc(sizeof(struct work)))
#include "own.c"
