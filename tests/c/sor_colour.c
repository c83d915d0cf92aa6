// All rows have their colours alike.
// expect: make_rows atomic
// expect: sum_of_rows atomic
// expect: sweep violated
// race: 43 43
#define COLOUR(i, sweep) ((sweep) % 2)
#include "sor.h"
