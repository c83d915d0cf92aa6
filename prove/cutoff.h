/* cutoff.h: where all data is abstract, a violation needs no more than so many threads. docs/proofs.md says why. */
#ifndef PROVE_CUTOFF_H
#define PROVE_CUTOFF_H

#include "prove/known.h"

/* A block that is violated with any threads is violated with its own and this many others of them, one at least; 0:
 * some object has values that the threads follow, and nothing is known. */
uint32_t cutoff_others(const Known *facts);

#endif
