// A thread's number changes behind it.
// expect: make_rows violated
// expect: sum_of_rows atomic
// expect: sweep violated
// race: 36 36
// race: 36 37
// race: 37 37
// race: 43 43
// race: 63 82
#define NUMBER(i) (numbers[0] = (i))
#include "sor.h"
