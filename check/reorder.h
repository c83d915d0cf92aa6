/* reorder.h: another order of the same steps, one that is easier to read. */
#ifndef CHECK_REORDER_H
#define CHECK_REORDER_H

#include "check/replay.h"
#include "check/witness.h"

/* In `order` (room for each step) the numbers of the steps: first what comes before the block causally or beside it,
 * then the block's thread in the block, then the others that come after that, then e2; in each part a thread goes on as
 * long as it can; and this again for what has to wait for a later part. Each step still comes after its causes.
 * `threads` and `taints` are per step, of a witness whose last step is e2. */
void reorder_steps(Heap *heap, const Replay *replay, const uint32_t *threads, const Taint *taints, uint32_t *order);

#endif
