// The step is another one for some.
// expect: scale violated
// race: 40 40
#define STEP me % 3 ? threads : 2
#include "stride.c"
