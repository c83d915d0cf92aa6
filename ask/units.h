/* units.h: work on one question in independent units, one after the other or in processes of their own. */
#ifndef ASK_UNITS_H
#define ASK_UNITS_H

#include "ask/atomicity_inside.h"

/* Does the units in their order until one fails or a limit is reached; or options->in_processes does, where it is given
 * and options->jobs > 1. */
bool units_run(Question *q, Unit *unit, void *argument, const uint32_t *units, uint32_t n);

#endif
