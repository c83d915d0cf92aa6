/* coloured_read.h: reads what a certificate claims of a coloured net (docs/certificates.md), up to its prefix. */
#ifndef CHECK_COLOURED_READ_H
#define CHECK_COLOURED_READ_H

#include "check/lines.h"
#include "check/simulation.h"

/* The claims. The net and the arrays are the heap's. */
typedef struct {
  Net *net; /* the coloured one, or NULL */
  Colouring colouring;
  Simulation simulation;
  bool simulates; /* `simulation` is there */
} ColouredClaims;

/* Behind the word 'coloured', up to the word 'prefix', by facts that have been judged and live as long; the simulation
 * is not judged yet. False with *err: ERR_INPUT where the lines have not the form of such claims; ERR_CHECK where they
 * cannot be true, in *why, without the place in the file. In any case there is something to free. */
bool coloured_read(Lines *lines, const ThreadFacts *facts, ColouredClaims *claims, Err *why, Err *err);
void coloured_claims_fini(ColouredClaims *claims);

#endif
