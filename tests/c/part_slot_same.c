// Two threads have one place.
// expect: add violated
// race: 22 22
#define WRONG
#include "part_slot.c"
