// Likewise, that of the next thread, or of the first one.
// expect: add atomic
#define SLOT (me + 1)
#include "any_rest_own.c"
