/* syncs.h: what semaphores, barriers, condition variables and pthread_once are in the log: signals, and waits that come
 * after them (docs/traces.md).
 *
 * Signals for different waits are on different objects, the parts of one thing, which are numbered and used again:
 * a barrier's rounds, a semaphore's posts, a condition's signals. A post goes to the take that comes first, after as
 * many others as the semaphore began with. A semaphore is a lock instead if it begins with 1 and only who has taken it
 * posts it, in the whole run. A signal goes to the thread that has waited longest among those not yet signalled; if
 * another one wakes instead, the two have changed places. */
#ifndef DISTIL_SYNCS_H
#define DISTIL_SYNCS_H

#include "distil/source.h"
#include "trace/trace.h"

typedef struct Syncs Syncs;

/* For threads 0 to n_threads - 1. */
Syncs *syncs_new(Heap *heap, uint32_t n_threads);
void syncs_free(Syncs *syncs); /* NULL is allowed */

/* First pass: a RAW_SYNC. */
void syncs_note(Syncs *syncs, const RawEvent *event);

/* Second pass, each event again, in the same order. False: it is none of the log. Else its operation, and the number of
 * the part, from 0, which is also the lock. */
bool syncs_step(Syncs *syncs, const RawEvent *event, TraceOp *op, uint32_t *part);

/* Second pass: is this what is done once, by now? Compiled code looks at the guard of a C++ variable by itself; to see
 * that it is done is a SYNC_PASSED. */
bool syncs_is_done(const Syncs *syncs, uint64_t address);

#endif
