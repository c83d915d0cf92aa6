// Each part but the first one begins one too early.
// expect: scale violated
// race: 18 18
#define FROM t *chunk - (t > 0)
#include "size_rest.c"
