/* entered.h: can a block begin at all? */
#ifndef TOOLS_ENTERED_H
#define TOOLS_ENTERED_H

#include "report/verdict.h"

/* Finds out for each of the blocks that holds, and sets `entered`; spends no more than max_events on it. What memory, time or the events
 * leave open stays as it is: unknown. The net has notes, and was coloured before. */
void entered_find(Heap *heap, const Net *net, BlockVerdict *blocks, uint32_t n_blocks, uint64_t max_events);

#endif
