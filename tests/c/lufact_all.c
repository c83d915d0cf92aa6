// Columns beyond column k, and barriers between the phases: see the programs lufact_*.
#include "lufact.h"
