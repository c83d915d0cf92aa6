/* loads.h: which loads find always the same number.
 *
 * What a load finds is known once it is known who stores what, and before what (deeds.h). With these numbers the
 * addresses are solved again: `&locks[(args->id + 1) % N]` is one lock then, `if (args->next)` goes one way. What was
 * found is so in all runs, or in all until something is done that is a gap; so what is found with it is so, too. */
#ifndef FRONTEND_C_LOADS_H
#define FRONTEND_C_LOADS_H

#include "frontend/c/cells.h"

/* Sets numbers[n] for each node n that is a load and finds always the same number; they are NUMBER_NONE at first.
 * False: all that is known of them was known before. */
bool loads_find(Cells *cells, CNumber *numbers);

#endif
