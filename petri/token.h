/* token.h: the token game of a 1-safe net. A marking is a bitset over the places (base/bitset.h), marking_words() long.
 */
#ifndef PETRI_TOKEN_H
#define PETRI_TOKEN_H

#include "base/bitset.h"
#include "petri/net.h"

/* How long a marking of the net is, in words; whether it has a token on the place. */
static inline size_t marking_words(const Net *net) { return bitset_words(net->n_places); }
static inline bool marking_has(const uint64_t *marking, PlaceId p) { return bitset_has(marking, p.v); }

/* The initial marking. */
void token_initial(const Net *net, uint64_t *marking);

/* Does every input place of t hold a token? */
bool token_enabled(const Net *net, const uint64_t *marking, TransId t);

/* Fires t, which must be enabled, and returns PLACE_NONE. Where an output place holds a token that t does not take, the
 * net is not 1-safe: then that place is returned, the lowest if there are several, and the marking stays as it was. */
PlaceId token_fire(const Net *net, uint64_t *marking, TransId t);

#endif
