// All rows are the same one.
// expect: make_rows violated
// expect: sweep violated
// race: 40 40
// race: 41 41
// race: 47 47
#define ROW(i) (grid[0] ? grid[0] : calloc((size_t)size, sizeof **grid))
#include "any_sor.h"
