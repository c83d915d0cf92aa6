/* safe.h: places of which counting shows that they never hold two tokens, whatever the rest of the net does.
 *
 * A set of places is *good* if it has one token at most at first, and each transition takes two of its places or more,
 * or puts tokens on no more of them than it takes. No run ever gives a good set a second token: by induction, a
 * transition of the first kind never fires. It is a place invariant with weights of 0 and 1, or less than one, as
 * tokens may be lost.
 *
 * Which sets are tried is guessed from the notes and units of the net, and from the net itself; each is counted before
 * it is believed. So no note can make a place safe that is not, and the nets of SML programs are safe by this alone. */
#ifndef PETRI_SAFE_H
#define PETRI_SAFE_H

#include "petri/net.h"

/* Sets `proved`, one per place: is it in a good set that was found? True if all are: then the net is 1-safe. If not,
 * nothing is known of the others. Takes time and memory of the order of the net, and a few million steps at most beyond
 * that. */
bool net_prove_safe(Heap *heap, const Net *net, bool *proved);

/* Does it show that the net is 1-safe? */
bool net_is_safe(Heap *heap, const Net *net);

#endif
