/* lock_decide.h: is there a run in which given events come in the order of a cycle?
 *
 * Where no third thread has to do anything meanwhile, two threads are decided by lock_closure.h, whatever their locks:
 * exactly, and without a budget. All else is searched (lock_search.h), up to a budget, unless what must come before
 * what refuses already (lock_clocks.h). */
#ifndef PREDICT_LOCKS_LOCK_DECIDE_H
#define PREDICT_LOCKS_LOCK_DECIDE_H

#include "predict/locks/lock_closure.h"

/* All that decides for one run. */
typedef struct LockDecider LockDecider;

/* `run` and `order`, that of lock_run_order, outlive the decider; memory is the run's heap's. */
LockDecider *lock_decider_new(const LockRun *run, Strands *order);
void lock_decider_free(LockDecider *decider); /* NULL is allowed */

/* Its closure, for questions of one's own. */
LockClosure *lock_decider_closure(LockDecider *decider);

/* Of n visits of different threads, one of which is left before it is entered. A search takes what it does from
 * *budget. Undecided only when that is used up, or where the heap is asked to stop. If it is possible and `schedule` is
 * not NULL, the run is added to it, which takes some of *budget, too, but may take all the time that it needs. */
LockAnswer lock_decide(LockDecider *decider, const LockVisit *visits, uint32_t n, uint64_t *budget, Schedule *schedule);

#endif
