/* stages.h: the stages by which the blocks of a net are decided, cheap ones first. docs/proofs.md has the theory.
 *
 * Each decides what it can of the blocks that are still unknown. They return false if the run has failed. */
#ifndef ASK_STAGES_H
#define ASK_STAGES_H

#include "ask/atomicity_inside.h"

/* Is there one that is worth it? Not of a huge net that is not the whole program. */
bool stages_any(const Question *q);

/* Short proofs, before any colouring. Sets q->proofs. */
bool stages_prove(Question *q);

/* Unfolds, for each block with an abstract chain, the threads of that chain alone: a violation there is one of the
 * whole net. */
bool stages_try_chains(Question *q);

/* Unfolds the threads that a block needs, or the whole net where that is not known: all blocks that need the same
 * threads together, until one of these is violated, then block by block. None holds up the others for long. */
bool stages_unfold(Question *q);

#endif
