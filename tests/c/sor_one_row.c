// All rows are one.
static void *row;
#define ROW(i) (row ? row : (row = calloc((size_t)size, sizeof **grid)))
#include "sor.h"
