/* lock_walks.h: what a cycle that leaves a transaction can reach at all: a quick way to see that there is none.
 *
 * From thread to thread, as early as forks and joins allow: of each thread the first step by which it can be entered,
 * from whose transaction on it can be left again. Locks count only so far: one of the edges at least must be one that
 * the pivots do not keep (lock_pivots.h). Threads may be used more than once, so that a way is necessary, not
 * sufficient. */
#ifndef PREDICT_LOCKS_LOCK_WALKS_H
#define PREDICT_LOCKS_LOCK_WALKS_H

#include "predict/locks/lock_pivots.h"

/* The ways from one thread, as far as they were followed. */
typedef struct LockWalks LockWalks;

/* No thread has been started from. `run`, `order` and `pivots` outlive the result; memory is the run's heap's. */
LockWalks *lock_walks_new(const LockRun *run, Strands *order, const LockPivots *pivots);
void lock_walks_free(LockWalks *walks); /* NULL is allowed */

/* Begins anew: ways that start in that thread. */
void lock_walks_start(LockWalks *walks, uint32_t thread);

/* From now on ways start by that access, too. What is done is taken from *budget; when it is used up, false. */
bool lock_walks_leave(LockWalks *walks, LockPlace place, uint32_t class, uint64_t *budget);

/* Can a way come back by that access, of the thread where it starts? */
bool lock_walks_return(const LockWalks *walks, LockPlace place, uint32_t class);

/* Can one enter another thread by a step, perhaps by an edge that the pivots do not keep, or after one? */
bool lock_walks_enter(const LockWalks *walks, uint32_t thread, uint32_t step, bool free);

#endif
