/* slice.h: the threads that a violation of a block needs: with the others left out there still is one. docs/proofs.md
 * says why. */
#ifndef PROVE_SLICE_H
#define PROVE_SLICE_H

#include "prove/environment.h"

/* `classes`, a bitset, gets the classes of those threads, that of the block's own first of all. False if the work was
 * asked to end. */
bool slice_find(Environment *environment, uint32_t class, uint32_t block, uint64_t *classes);

#endif
