/* splits.h: arrays in one structure that are objects of their own.
 *
 *     static struct { pthread_mutex_t locks[N]; int counts[N]; } pool;
 *
 * As C says (6.5.6p8), an address that is computed from an array leads to its elements alone. So where no address
 * leaves an array that is a member of a structure in any other way, what is done there and what is done to the rest of
 * the structure is as if they were several variables: then each array may be told apart by itself (foci.h). docs/c.md
 * has what is asked. */
#ifndef FRONTEND_C_SPLITS_H
#define FRONTEND_C_SPLITS_H

#include "frontend/c/points.h"

/* The arrays of structures in which a lock is taken by an index that is not known, and the other arrays there, as far
 * as they are found in a program that is solved without splits. */
void splits_find(Points *points, CSplitVec *splits);

/* Drops those of objects that are not to be split, as is found in a program that is solved with them. False: there were
 * some. */
bool splits_check(Points *points, CSplitVec *splits);

#endif
