// Two threads have one place in the table.
// expect: sum violated
// race: 37 63
// race: 37 64
#define SLOT i / 2
#include "joined.c"
