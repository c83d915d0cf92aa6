/* lock_search.h: is there a run in which given events come in the order of a cycle? By search: exact, for any number of
 * threads, locks, forks and joins.
 *
 * The positions of the threads are searched, from the start on. A step that takes no lock is made as soon as it can be,
 * and so is all that a thread can do, alone, up to a position at which it holds no lock: both leave to the others
 * whatever they could do before. What remains to be chosen is which thread takes a lock without being able to give it
 * back at once. A step waits for all that must come before it, whatever the run (lock_clocks.h). States are
 * remembered. */
#ifndef PREDICT_LOCKS_LOCK_SEARCH_H
#define PREDICT_LOCKS_LOCK_SEARCH_H

#include "predict/locks/lock_clocks.h"

/* The search in one run, for one cycle after another. */
typedef struct LockSearch LockSearch;

/* `run` and `start` outlive the search; memory is the run's heap's until lock_search_free. */
LockSearch *lock_search_new(const LockRun *run, LockStart *start);
void lock_search_free(LockSearch *search); /* NULL is allowed */

/* Of n visits of different threads, for which the start was found, and the clocks, if they are not NULL. What is done
 * is taken from *budget, a number of steps; undecided only when it is used up. */
LockAnswer lock_search(LockSearch *search, const LockVisit *visits, uint32_t n, const LockClocks *clocks,
                       uint64_t *budget);

/* The run that was found last, from the start on, and, for lock_start_tell, where at most the threads end in it. */
void lock_search_goal(const LockSearch *search, uint32_t *goal);
void lock_search_tell(LockSearch *search, LockTelling *telling);

#endif
