// A row is another one, too.
// expect: make_rows violated
// expect: sum_of_rows atomic
// expect: sweep violated
// race: 37 37
// race: 43 43
#define ROW(i) ((i) > from ? (void *)grid[(i)-1] : calloc((size_t)size, sizeof **grid))
#include "sor.h"
