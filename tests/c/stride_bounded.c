// Likewise, but the array is not so long.
// expect: scale atomic
#define SIZE unsigned
#ifndef MORE
#define MORE 1
#endif
#define CHECK n <= 4294967295u - threads + MORE
#include "stride.c"
