// No barrier behind the first thread's phase.
// expect: eliminate violated
// expect: find_pivot atomic
// expect: scale violated
// race: 35 54
// race: 44 54
#define SECOND_BARRIER()
#include "lufact.h"
