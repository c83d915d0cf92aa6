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
  bool is_proved;         /* by a proof about the uncoloured net, as a certificate has it */
  bool is_of_any_number;  /* it was shown for any number of threads of each group of which the net has two or more */
  const char *grounds; /* by what it was decided: "proved by two-phase locking (l0)", "unfolded, 12 events"; or NULL */
  const Net *net;      /* of the witness; NULL: that of the whole answer */
  const uint32_t *numbers; /* if violated where some counts are open: their values in `net`, by which it is (and by all
                              that are no less); else NULL */
} BlockVerdict;

/* Finds out for each of the blocks that holds, where it is not known yet, and sets `entered`; spends no more than
 * max_events on it. What memory, time or the events leave open stays as it is: unknown. The net has notes, and is
 * 1-safe. */
void entered_find(Heap *heap, const Net *net, BlockVerdict *blocks, uint32_t n_blocks, uint64_t max_events);

#endif
