/* calls.h: which functions are atomic in a run: each one is asked about by itself, nested calls as well.
 *
 * A begin is a call of the function that is its label, an end the return from the innermost call. A call is causally
 * atomic if no event f of another thread has e1 <= f <= e2 for two events e1, e2 of the call, in the order of the
 * single events (serial/monitor.h); so it does not matter which other calls there are, and one pass decides all. If f
 * comes between events of several calls that are open, the innermost one is split by it, and the others inherit that.
 * The exit of a thread, or a join, is the return from all its calls.
 *
 * A call in which its thread forks or joins another one is most likely not meant to be atomic. So it is asked about up
 * to the first such event only: what comes between later events is noted, but does not split it. */
#ifndef SERIAL_CALLS_H
#define SERIAL_CALLS_H

#include "base/vec.h"
#include "trace/trace.h"

/* What is known of a function. Of two kinds of calls the later one in this list decides. */
typedef enum {
  CALLS_ATOMIC,
  CALLS_THREADS, /* something comes between two events of a call, but only after it has forked or joined a thread */
  CALLS_INHERIT,
  CALLS_SPLIT
} CallsKind;

/* A function, and all of its calls so far. */
typedef struct {
  uint32_t label; /* or TRACE_NONE: begins without one */
  uint64_t calls;
  CallsKind kind;
  uint64_t inherit, split; /* calls that inherit, and are not split themselves; that are split */
  uint64_t threads;        /* calls that are neither, and of which CALLS_THREADS holds */
  uint64_t first;          /* the begin of the first call of that kind; of CALLS_ATOMIC: of the first one */
  uint64_t before, at;     /* of CALLS_SPLIT: two events of that call between which something comes, which was first
                              seen in the later one */
  uint32_t ordinal;        /* of that call, among all of its thread, from 1 */
  uint32_t callee;         /* of CALLS_INHERIT: the function that is split inside that call; else TRACE_NONE */
} CallsRow;

/* The functions of a run, in the order of their first calls. Starts as {.heap = heap}. */
typedef struct {
  Heap *heap;
  VEC(CallsRow) rows;
  U32Vec of_label; /* the row + 1, by label + 1; 0: none */
} Calls;

void calls_fini(Calls *calls);

#endif
