// Likewise, numbers without a sign.
// expect: scale atomic
#define T size_t
#include "size_then.c"
