/* split_calls.h: which functions have a call that other threads might come between? Where each call makes at most one
 * event that could conflict with another thread's, a transaction of these calls is serial wherever that event stands,
 * so no run of the same threads has a cycle through one. It is cheap to know of all functions at once. */
#ifndef ASK_SPLIT_CALLS_H
#define ASK_SPLIT_CALLS_H

#include "base/vec.h"
#include "trace/trace.h"

/* A thread of the current run, and its calls that are open, the outermost first, each with the number of events before
 * it. */
typedef struct {
  uint32_t forked, root; /* so often it was forked and not joined; there from the beginning, for all that is known */
  uint64_t n_events;     /* that could conflict, since the run began */
  U32Vec labels;
  VEC(uint64_t) before;
} SplitCallsThread;

/* What is known of objects, threads and labels, by number. A label's place is its number + 1; TRACE_NONE has 0. */
typedef struct {
  Heap *heap;
  U32Vec user;     /* the only thread that uses the object, + 1; SEVERAL, if there are more; 0: none yet */
  CharVec written; /* it is not only read */
  VEC(SplitCallsThread) threads;
  U32Vec roots;               /* by run: its threads that nobody has forked */
  uint32_t n_roots, n_forked; /* of the run that is read */
  uint32_t run;               /* its number, in the second reading */
  VEC(uint64_t) most;         /* by label: of split_calls_most */
} SplitCalls;

void split_calls_init(SplitCalls *s, Heap *heap);
void split_calls_fini(SplitCalls *s);

/* Takes all events of all runs, in two readings with the same numbers: objects first, then calls; after the last event
 * of a run there are none. */
void split_calls_survey(SplitCalls *s, const TraceEvent *events, uint32_t n);
void split_calls_count(SplitCalls *s, const TraceEvent *events, uint32_t n);

/* After both: the most events that could conflict in a call with that label, or TRACE_NONE. With less than two no call
 * is split in any run of the same threads, whatever synchronisation they respect. */
uint64_t split_calls_most(const SplitCalls *s, uint32_t label);

#endif
