// A barrier that waits for one less.
// expect: make_rows violated
// expect: sweep violated
// race: 40 40
// race: 40 53
// race: 47 47
// sml: any_sor
#define COUNT(n) ((n)-1)
#include "any_sor.h"
