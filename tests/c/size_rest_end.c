// The end of a part belongs to it.
// expect: scale violated
// race: 18 18
#define BEFORE <=
#include "size_rest.c"
