// The products wrap around.
// expect: scale violated
// race: 23 23
#define WIDE unsigned
#include "size_flat.c"
