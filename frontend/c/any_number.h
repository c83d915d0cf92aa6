/* any_number.h: can one of several open threads stand for all of them, however many there are? docs/c.md says why. */
#ifndef FRONTEND_C_ANY_NUMBER_H
#define FRONTEND_C_ANY_NUMBER_H

#include "frontend/c/cells.h"

/* Is there a thread of which there may be any number? */
bool any_number_is_open(const Points *points);

/* Do all of them the same, to the same objects, if what belongs to one of them is taken for what belongs to each? Then
 * the cells of that are put together (CCell.first). */
bool any_number_fits(Cells *cells);

#endif
