/* cells_inside.h: what the files of cells share. */
#ifndef FRONTEND_C_CELLS_INSIDE_H
#define FRONTEND_C_CELLS_INSIDE_H

#include "frontend/c/cells.h"

/* Sets *accesses to what an instruction does, whatever the cells are: cells_access.c. */
void cells_find_accesses(Cells *cells, uint32_t context, uint32_t number, CAccessVec *accesses);

#endif
