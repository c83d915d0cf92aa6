// The columns that are changed begin with the one that is read.
// expect: eliminate violated
// expect: find_pivot atomic
// expect: scale atomic
// race: 35 54
// race: 54 54
#define FIRST(k) (k)
#include "lufact.h"
