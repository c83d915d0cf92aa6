// As many threads as a size: the next number may have wrapped around.
// expect: scale violated
// race: 40 40
#define COUNT size_t
#define READ(text) strtoul(text, NULL, 10)
#include "stride.c"
