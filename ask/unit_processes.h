/* unit_processes.h: the units of a question in processes of their own (ask/units.h). Apart, so that what starts
 * processes is linked only where somebody asks for it. */
#ifndef ASK_UNIT_PROCESSES_H
#define ASK_UNIT_PROCESSES_H

#include "ask/units.h"

/* For AtomicityOptions.in_processes: up to q->options->jobs child processes do the units, each from how things are now;
 * what they find is taken over in the order of the units, as if they had been done one after the other. What a process
 * does not bring to its end is done here, in its turn. */
bool unit_processes_run(Question *q, Unit *unit, void *argument, const uint32_t *units, uint32_t n);

#endif
