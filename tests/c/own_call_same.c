// The function makes no other structure where it has one that is free.
// expect: add violated
// race: 26 26
// race: 26 27
// race: 26 39
// race: 26 40
// race: 26 41
// race: 27 27
// race: 27 39
// race: 27 40
// race: 27 41
// race: 28 28
// race: 28 29
// race: 28 38
// race: 29 29
// race: 29 38
#define MAKE (old ? old : (old = malloc(sizeof(struct work))))
#define FREE(w)
#include "own_call.c"
