// Columns beyond column k, and barriers between the phases: see the programs lufact_*.
// expect: eliminate atomic
// expect: find_pivot atomic
// expect: scale atomic
#include "lufact.h"
