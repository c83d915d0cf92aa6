// It is a variable, too.
// expect: twice violated
// expect: once atomic
// race: 16 27
// race: 17 27
#define CONSTANT
#include "constant_written.c"
