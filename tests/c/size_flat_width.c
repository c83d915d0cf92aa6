// Rows of a wrong length.
// expect: scale violated
// race: 23 23
#define WIDTH (cols - 1)
#include "size_flat.c"
