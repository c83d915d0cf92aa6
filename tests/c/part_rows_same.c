// Two rows are one.
// expect: fill violated
// race: 24 24
// race: 24 25
// race: 25 25
#define WRONG
#include "part_rows.c"
