/* goal.h: coverability of several places together, as the question whether one transition can fire. */
#ifndef PETRI_GOAL_H
#define PETRI_GOAL_H

#include "petri/net.h"

/* The net with one more transition, the last one, that takes a token from each of the places and puts one on a place of
 * its own, the last one: it can fire iff the places can be marked all at once. All other numbers stay. After it has
 * fired the net need not be 1-safe any more. `n` at least 1, each place once. Without notes and units. To be freed with
 * net_free(). */
Net *net_with_goal(Heap *heap, const Net *net, const PlaceId *places, uint32_t n);

#endif
