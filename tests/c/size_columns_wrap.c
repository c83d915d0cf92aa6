// As many rows as a size.
// expect: scale violated
// race: 40 40
#define ROWS size_t
#include "size_columns.c"
