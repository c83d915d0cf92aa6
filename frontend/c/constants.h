/* constants.h: loads that find the same number whenever control comes to them, as it is all that is ever stored there.
 *
 * They are found once it is known where addresses lead, and then that is found once more with them: `array[args->me]`
 * is one element then. */
#ifndef FRONTEND_C_CONSTANTS_H
#define FRONTEND_C_CONSTANTS_H

#include "frontend/c/cells.h"

void constants_init(CConstants *constants, Heap *heap);
void constants_fini(CConstants *constants, Heap *heap);

/* Finds them; is there one? What it finds is good for other Points of the same module. */
bool constants_find(CConstants *constants, Cells *cells);

#endif
