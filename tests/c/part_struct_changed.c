// The end of a part is changed by somebody.
// expect: sum violated
// race: 20 20
// race: 20 21
#define WRONG
#include "part_struct.c"
