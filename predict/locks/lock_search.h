/* lock_search.h: is there a run in which given events come in the order of a cycle? Exact, for any locks, forks and
 * joins.
 *
 * The run that is looked for begins with a part of the recorded one: each thread up to a position at which it holds no
 * lock, in front of its events of the cycle; that costs nothing, as no lock is held then. From there on the positions
 * of the threads are searched. A step that takes no lock is made as soon as it can be, and so is all that a thread can
 * do, alone, up to a position at which it holds no lock: both leave to the others whatever they could do before. What
 * remains to be chosen is which thread takes a lock without being able to give it back at once. States are remembered.
 */
#ifndef PREDICT_LOCKS_LOCK_SEARCH_H
#define PREDICT_LOCKS_LOCK_SEARCH_H

#include "predict/cycle.h"
#include "predict/locks/lock_runs.h"

/* Steps of a thread. `out` of a visit must be done before `in` of the next one, the last one's before the first one's.
 */
typedef struct {
  uint32_t thread, in, out;
} LockVisit;

/* Is there such a run? UNDECIDED: the budget was used up before that was known. */
typedef enum { LOCK_IMPOSSIBLE, LOCK_POSSIBLE, LOCK_UNDECIDED } LockAnswer;

/* The search in one run, for one cycle after another. */
typedef struct LockSearch LockSearch;

/* `run` outlives the search; memory is the run's heap's until lock_search_free. */
LockSearch *lock_search_new(const LockRun *run);
void lock_search_free(LockSearch *search); /* NULL is allowed */

/* Of n visits of different threads. What is done is taken from *budget, a number of steps; undecided only when it is
 * used up. If it is possible and `schedule` is not NULL, the run is added to it. */
LockAnswer lock_search(LockSearch *search, const LockVisit *visits, uint32_t n, uint64_t *budget, Schedule *schedule);

#endif
