// A row goes on into the next one.
// expect: fill violated
// race: 16 16
#define LAST size
#include "any_square.c"
