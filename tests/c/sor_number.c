// Two threads have one number.
// expect: make_rows violated
// expect: sum_of_rows atomic
// expect: sweep violated
// race: 36 36
// race: 36 37
// race: 37 37
// race: 43 43
#define NUMBER(i) ((i) / 2)
#include "sor.h"
