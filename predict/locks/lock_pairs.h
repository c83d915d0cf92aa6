/* lock_pairs.h: all cycles of two threads that runs of the same threads can have.
 *
 * One of the two transactions is split: left by its first access of a kind, `out`, and entered later by another one,
 * `in`. The other thread is entered after `out`, and left before `in`. A transaction and a thread are first tried as a
 * whole (lock_sweep.h). What comes before `in` at least, if the other
 * thread is left before it, is found once for all `out` (lock_closure.h); what that does not refuse is decided
 * (lock_decide.h). Transactions that are equal in all that matters are looked at once, and so are visits
 * (lock_visits.h). */
#ifndef PREDICT_LOCKS_LOCK_PAIRS_H
#define PREDICT_LOCKS_LOCK_PAIRS_H

#include "predict/locks/lock_decide.h"
#include "predict/locks/lock_found.h"

/* What was asked. The budget is for questions that a third thread has to be searched for, and for the runs of what is
 * found: if it is used up by these, there may be more. */
typedef struct {
  uint64_t decided, undecided;
  bool complete; /* all was looked at */
} LockPairCount;

/* All that is there, or the first without found->all. `order` is that of lock_run_order. */
LockPairCount lock_pairs_find(const LockRun *run, Strands *order, LockDecider *decider, LockVisits *visits,
                              uint64_t *budget, LockFound *found);

/* The transaction's hash: of its steps, and of what the thread does with locks around it. */
uint64_t lock_transaction_key(const LockRun *run, uint32_t thread, uint32_t begin, uint32_t end, bool by_place);

/* Where the transaction ends that begins with the step: the step after its last one. */
uint32_t lock_transaction_end(const LockThread *thread, uint32_t begin);

#endif
