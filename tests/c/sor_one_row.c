// All rows are one.
// expect: make_rows violated
// expect: sum_of_rows atomic
// expect: sweep violated
// race: 36 36
// race: 37 37
// race: 43 43
static void *row;
#define ROW(i) (row ? row : (row = calloc((size_t)size, sizeof **grid)))
#include "sor.h"
