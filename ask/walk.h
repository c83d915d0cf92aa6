/* walk.h: some runs of a net with notes, for what nearly every run shows. */
#ifndef ASK_WALK_H
#define ASK_WALK_H

#include "petri/net.h"

/* Plays the token game for a while, thread after thread with steps chosen at random, and sets begun[b] where block b of
 * the notes was begun. The same net gives the same runs. Nothing follows from a block that was not begun. The net must
 * be 1-safe as far as the runs go; they end where it is not, or where the heap is asked to stop. */
void walk_to_blocks(Heap *heap, const Net *net, bool *begun);

#endif
