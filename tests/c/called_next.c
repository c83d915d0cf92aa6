// What the next thread is to be given is overwritten.
// expect: own atomic
#define BEFORE args[t + 1].at = 0
#include "called.c"
