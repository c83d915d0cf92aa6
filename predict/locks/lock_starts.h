/* lock_starts.h: where transactions come in the order in which they begin: a proof for cycles of any length.
 *
 * If, whenever an access of one transaction comes before a conflicting one of another thread's transaction, the first
 * transaction has begun before the other, then no run has a cycle: each of its edges leads to a later beginning. This
 * is so where lists are gone through hand over hand, whichever way, since nobody overtakes there. For two transactions
 * it is asked how much of the first must come before each step of the other if it comes before one of its accesses
 * (lock_least.h): the first one's beginning must come before the other one's. Forks, joins and hand-overs are not
 * looked at: these could only add to it. */
#ifndef PREDICT_LOCKS_LOCK_STARTS_H
#define PREDICT_LOCKS_LOCK_STARTS_H

#include "predict/locks/lock_closure.h"

/* True if no run has a cycle. False says nothing: it may be that `budget` steps did not suffice. */
bool lock_starts_prove(const LockClosure *closure, uint64_t budget);

#endif
