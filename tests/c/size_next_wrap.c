// Parts are so long that the next ones may begin where the numbers have wrapped around.
// expect: scale violated
// race: 19 19
#define T unsigned
#define Q n
#include "size_next.c"
