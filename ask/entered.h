/* entered.h: can a block begin at all? */
#ifndef ASK_ENTERED_H
#define ASK_ENTERED_H

#include "base/verdict.h"
#include "check/witness.h"

/* Can the block begin at all? One that cannot is atomic, which says nothing. */
typedef enum { ENTERED_UNKNOWN, ENTERED_SOMETIMES, ENTERED_NEVER } Entered;

/* The answer about one block. */
typedef struct {
  uint32_t block; /* of the notes */
  Verdict verdict;
  Entered entered;
  const Witness *witness; /* if violated, else NULL */
} BlockVerdict;

/* Finds out for each of the blocks that holds, and sets `entered`; spends no more than max_events on it. What
 * memory, time or the events leave open stays as it is: unknown. The net has notes, and was coloured before. */
void entered_find(Heap *heap, const Net *net, BlockVerdict *blocks, uint32_t n_blocks, uint64_t max_events);

#endif
