/* never.h: states that no run comes to, by what is known of each control (known.h), before any unfolding.
 * docs/proofs.md, "States that are never reached", has the proofs, and why they are right. */
#ifndef PROVE_NEVER_H
#define PROVE_NEVER_H

#include "petri/net.h"

#include <stdio.h>

/* What is known of the threads of one net, and what was proved with it. */
typedef struct Never Never;

/* NULL if nothing is known: the net, which has notes, is not 1-safe by counting, its threads are not sequential or have
 * too many local states, or the work was asked to end. The net has to outlive it; memory is the heap's, until free. */
Never *never_new(Heap *heap, const Net *net);
void never_free(Never *never); /* NULL is allowed */

/* Sets of places are per place of the net. False: it is not proved. */

/* No thread is ever at one of these places. */
bool never_away(Never *never, const bool *places);

/* No two threads are ever at once at one of the first places and at one of the second. */
bool never_apart(Never *never, const bool *first, const bool *second);

/* Wherever no transition is enabled, each thread of the notes is at one of these places. */
bool never_waits(Never *never, const bool *over);

/* Writes all that was proved, in the form of docs/certificates.md, if there is anything: facts about threads, with
 * claims. Errors are those of the stream. */
void never_certificate(const Never *never, FILE *out);

#endif
