// The first one gone to is that of the next part.
// expect: scale violated
// race: 13 13
// race: 13 14
// race: 14 14
#define INDEX i
#include "size_back.c"
