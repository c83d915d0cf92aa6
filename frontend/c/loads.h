/* loads.h: which loads find always the same number, and which find what is the same for all of them.
 *
 * What a load finds is known once it is known who stores what, and before what (deeds.h). With these numbers the
 * addresses are solved again: `&locks[(args->id + 1) % N]` is one lock then, `if (args->next)` goes one way. What was
 * found is so in all runs, or in all until something is done that is a gap; so what is found with it is so, too. */
#ifndef FRONTEND_C_LOADS_H
#define FRONTEND_C_LOADS_H

#include "frontend/c/cells.h"

/* Of a load of another thread than the main one: nobody writes there any more once that has created a thread. */
#define ORIGIN_SETTLED UINT32_MAX

/* Sets numbers[n] for each node n that is a load and finds always the same number; they are NUMBER_NONE at first; and
 * origins[n], which are 0 at first, to the same one for all loads that find what one store leaves, or what one thread
 * ends with, which is done once in a run, or to ORIGIN_SETTLED. False: all that is known of numbers was known before.
 */
bool loads_find(Cells *cells, CNumber *numbers, uint32_t *origins);

/* Sets those of a program that was solved with what was found in another one, CLoads.points. */
void loads_go_on(const Points *points, const Points *before, const uint32_t *origins_before, uint32_t *origins);

#endif
