/* units.h: work on one question in independent units, one after the other or in processes of their own. */
#ifndef ASK_UNITS_H
#define ASK_UNITS_H

#include "ask/atomicity_inside.h"

/* A unit: what is to be done about block i of the result, and about the others that belong to it. It changes nothing of
 * the question but what is said of these blocks (verdict, grounds, run, given_up, is_loose), the counts, the limits
 * that were reached, and the error; and nothing that `argument` points to. False: the run has failed. */
typedef bool Unit(Question *q, void *argument, uint32_t i);

/* Does the units in their order until one fails or a limit is reached. With q->options->jobs > 1 that many child
 * processes do them, each from how things are now; what they find is taken over in the order of the units, as if they
 * had been done one after the other. What a process does not bring to its end is done here, in its turn. */
bool units_run(Question *q, Unit *unit, void *argument, const uint32_t *units, uint32_t n);

#endif
