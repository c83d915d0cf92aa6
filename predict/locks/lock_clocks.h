/* lock_clocks.h: what must come before what in each run that has a cycle, for any number of threads and any locks.
 *
 * Of each step of the cycle's threads that must be done it is found how many steps of each of the others come before it
 * at least: by program order, the order of the cycle, forks, joins and hand-overs between these threads, and by this:
 * where a section of a lock begins before another thread's section that it excludes is over, it ends before that one
 * begins. So a section that is never ended comes after all the others. What comes before a step must be done, too. If a
 * step would come before itself, no run has the cycle. (That is the closure of W. Lipski and C. Papadimitriou, see
 * lock_closure.h, for several threads. It is necessary, and does not always suffice: of 9,589 random
 * cycles that no run has it refuses 9,586.) */
#ifndef PREDICT_LOCKS_LOCK_CLOCKS_H
#define PREDICT_LOCKS_LOCK_CLOCKS_H

#include "predict/locks/lock_closure.h"

/* The numbers for one cycle. */
typedef struct LockClocks LockClocks;

/* `closure`, for its sections, outlives the clocks; memory is its run's heap's. */
LockClocks *lock_clocks_new(const LockClosure *closure);
void lock_clocks_free(LockClocks *clocks); /* NULL is allowed */

/* For n visits of different threads that begin at `start`. False: there is no run. Where that would take much room, or
 * the heap is asked to stop, nothing more is known than before. */
bool lock_clocks_solve(LockClocks *clocks, const LockStart *start, const LockVisit *visits, uint32_t n);

/* Has all been done that must come before a step of the thread of visit i? now[k] is the position of that of visit k.
 */
bool lock_clocks_allow(const LockClocks *clocks, uint32_t i, uint32_t step, const uint32_t *now);

#endif
