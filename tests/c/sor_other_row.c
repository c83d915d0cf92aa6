// A row is another one, too.
#define ROW(i) ((i) > from ? (void *)grid[(i) - 1] : calloc((size_t)size, sizeof **grid))
#include "sor.h"
