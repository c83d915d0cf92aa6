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

/* What is known of loads besides, per node that is one. */
typedef struct {
  uint32_t *same;   /* the same one for all that find what one store leaves, or what one thread ends with, which is done
                       once in a run; or ORIGIN_SETTLED; 0: nothing is known */
  uint32_t *stores; /* 1 + the node of the store that has left what is found, in a local variable: what it stores has
                       not been computed since; or 0 */
} COrigins;

void origins_init(COrigins *origins, const Points *points);
void origins_fini(COrigins *origins, Heap *heap);

/* Sets numbers[n] for each node n that is a load and finds always the same number; they are NUMBER_NONE at first; and
 * the origins. False: all that is known of numbers was known before. */
bool loads_find(Cells *cells, CNumber *numbers, COrigins *origins);

/* Sets those of a program that was solved with what was found in another one, CLoads.points. */
void loads_go_on(const Points *points, const Points *before, const COrigins *origins_before, COrigins *origins);

#endif
