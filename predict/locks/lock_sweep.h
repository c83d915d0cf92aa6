/* lock_sweep.h: no cycle of one transaction and one other thread, proved for all accesses in one pass.
 *
 * Where a transaction has many accesses, as one that goes hand over hand through a list, there are cycles to refuse for
 * each pair of them. They are refused together. The transaction is entered again by its accesses from the first to the
 * last. For each, and each access by which the other thread can be left, the least numbers (lock_closure.h) say which
 * ways out of the transaction come too late for every way into the other thread. Most often what an earlier access asks
 * for is part of what the next one asks for: then its numbers are gone on from, and what was refused stays refused.
 * Forks, joins and hand-overs are not looked at: these could only refuse more.
 *
 * Time is linear in the accesses if each asks for what the one before asked for. If it is not, the sweep gives up after
 * a multiple of that. */
#ifndef PREDICT_LOCKS_LOCK_SWEEP_H
#define PREDICT_LOCKS_LOCK_SWEEP_H

#include "predict/locks/lock_closure.h"

/* A step of the transaction, and a group of another thread with rivals of it. */
typedef struct {
  uint32_t thread, step, group;
  bool first;  /* of its kind in the transaction */
  bool enters; /* some access of the group avoids the locks held since the first access */
} LockTie;

/* Room for sweeps. */
typedef struct LockSweep LockSweep;

/* `closure` outlives the sweep; memory is the heap's of its run. */
LockSweep *lock_sweep_new(const LockClosure *closure);
void lock_sweep_free(LockSweep *sweep); /* NULL is allowed */

/* True if no run has a cycle of the transaction, a part of thread `a`, and the thread of the ties. They are n, more
 * than 0, ascending by step; all of the transaction with that thread. False says nothing. */
bool lock_sweep_refuses(LockSweep *sweep, uint32_t a, const LockTie *ties, uint32_t n);

#endif
