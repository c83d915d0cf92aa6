// All cells have one colour.
// expect: make_rows atomic
// expect: sweep violated
// race: 47 47
// sml: any_sor
#define COLOUR(i, sweep) 1
#include "any_sor.h"
