// Columns change their places: two places may lead to one.
// expect: eliminate violated
// expect: find_pivot atomic
// expect: scale atomic
// race: 34 35
// race: 34 54
// race: 35 35
// race: 35 36
// race: 35 54
// race: 36 36
// race: 36 54
// race: 54 54
#define EXCHANGE(k, pivot) (columns[k] = columns[pivot])
#include "lufact.h"
