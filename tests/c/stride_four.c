// Four is a power of 2: what wraps around comes back to an element of the same thread.
// expect: scale atomic
#define SIZE unsigned
#ifndef FOUR
#define FOUR 4
#endif
#define STEP FOUR
#define CHECK threads <= FOUR
#include "stride.c"
