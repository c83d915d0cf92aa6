// The products wrap around.
// expect: scale violated
// race: 14 14
#define WIDE unsigned
#include "size_share.c"
