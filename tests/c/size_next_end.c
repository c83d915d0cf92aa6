// The end of a part belongs to it.
// expect: scale violated
// race: 19 19
#define T int
#define LATER at--
#include "size_next.c"
