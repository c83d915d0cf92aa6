/* kinds.h: what a lock does when the thread that has it takes it again. */
#ifndef FRONTEND_C_KINDS_H
#define FRONTEND_C_KINDS_H

#include "frontend/c/cells.h"

/* Sets CCell.is_recursive of the locks whose holder may take them again; those of which that is not known, or that may
 * be error-checking, become vague, and so do recursive ones in objects that are told apart. */
void kinds_find(Cells *cells);

#endif
