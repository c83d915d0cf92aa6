/* call_stacks.h: from where the functions were called in which some events of a run are. For the report: what cannot be
 * found out (ask/call_stacks_read.h) is left out. */
#ifndef ASK_CALL_STACKS_H
#define ASK_CALL_STACKS_H

#include "base/arena.h"
#include "serial/monitor.h"
#include "trace/trace.h"

/* Of one event: places as the log has them, the innermost first; NULL for one that is not known. */
typedef struct {
  uint64_t event;
  uint32_t n;
  const char *callers[TRACE_CALLERS];
} EventStack;

/* An event that is asked for, with what else is known of it. */
typedef struct {
  uint64_t event;
  uint32_t thread, location;
  uint8_t op;
} StackWanted;

/* Starts as {0}; memory is the heap's until fini. */
typedef struct {
  VEC(StackWanted) wanted;
  Arena arena;
  VEC(EventStack) stacks; /* by event, each once, those that are known */
} CallStacks;

/* Asks for the stacks of all events of the finding's edges. */
void call_stacks_want(Heap *heap, CallStacks *stacks, const MonitorFinding *finding);

void call_stacks_fini(Heap *heap, CallStacks *stacks);

/* That of the event, or NULL. `stacks` may be NULL. */
const EventStack *call_stacks_find(const CallStacks *stacks, uint64_t event);

#endif
