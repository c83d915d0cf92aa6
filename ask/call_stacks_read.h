/* call_stacks_read.h: finds call stacks in a run. */
#ifndef ASK_CALL_STACKS_READ_H
#define ASK_CALL_STACKS_READ_H

#include "ask/call_stacks.h"
#include "ask/run_input.h"

/* Reads the run again, if it is one and can be read again, up to the last event that is asked for; less of it, if the
 * heap is asked to stop, or used up. */
void call_stacks_read(Heap *heap, CallStacks *stacks, const RunSource *source);

#endif
