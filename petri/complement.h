/* complement.h: places that are marked iff others are not, so that what is not marked can be asked for, too. */
#ifndef PETRI_COMPLEMENT_H
#define PETRI_COMPLEMENT_H

#include "petri/net.h"

/* The net with n more places, the last ones, in the order of `places`, each of which is there once: the complement of a
 * place is marked where the place is not, gets a token from who takes that of the place, and gives it to who puts one
 * there. If the net is 1-safe, this one does the same. All numbers stay. Without notes and units. To be freed with
 * net_free(). */
Net *net_with_complements(Heap *heap, const Net *net, const PlaceId *places, uint32_t n);

#endif
