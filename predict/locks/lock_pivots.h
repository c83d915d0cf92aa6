/* lock_pivots.h: where locks alone make transactions serializable: a quick proof, for cycles of any length.
 *
 * Each transaction gets a pivot, one of its steps, and each object a lock, the one under which it is touched most
 * often. In a cycle an edge leads from an access of one transaction to a later one of the next. It keeps the order of
 * the pivots, that is, the first transaction's pivot comes before the second one's, in each of these cases:
 *
 *   - both accesses are firm: the object's lock is held from the access to the pivot, or from the pivot to it, and if
 *     the access writes, not only shared; as one of the two writes, they exclude each other;
 *   - the first is not before its pivot, and the second one not after its own;
 *   - forks and joins put the first pivot before the second access and before its pivot.
 *
 * In a thread pivots come in the order of its transactions. So each cycle has an edge to which none of the cases
 * applies. (The pivot is the lock point of two-phase locking: K. Eswaran, J. Gray, R. Lorie and I. Traiger, "The
 * notions of consistency and predicate locks in a database system", CACM 1976; or the one step that is no mover: R.
 * Lipton, "Reduction", CACM 1975.) */
#ifndef PREDICT_LOCKS_LOCK_PIVOTS_H
#define PREDICT_LOCKS_LOCK_PIVOTS_H

#include "predict/locks/lock_runs.h"

/* The pivots of the transactions of one run, and the locks of its objects. */
typedef struct LockPivots LockPivots;

/* Chooses pivots and locks. `run` and `order` outlive the result; memory is the run's heap's. */
LockPivots *lock_pivots_new(const LockRun *run, Strands *order);
void lock_pivots_free(LockPivots *pivots); /* NULL is allowed */

/* Might there be an edge that keeps no order? If not, no run has a cycle. */
bool lock_pivots_any_loose(const LockPivots *pivots);

/* Does the edge keep the order of the pivots? The places are rivals in a class, which is that of one of them. */
bool lock_pivots_keep(const LockPivots *pivots, LockPlace from, LockPlace to, uint32_t class);

/* Is that so by forks and joins alone? If so, then for all later `to` of the thread, too. */
bool lock_pivots_ordered(const LockPivots *pivots, LockPlace from, LockPlace to);

/* The first two cases are two things that both ends of an edge must have. An edge has neither of them iff for one of
 * the four sets of things, `lacks`, its first access has none of the set and its second one none of the others. These
 * are the accesses of a group that, as first or as second ones, have none of the set. */
enum { PIVOT_FIRM = 1, PIVOT_SIDE = 2, PIVOT_SETS = 4 };
const LockGroup *lock_pivots_lacking(const LockPivots *pivots, const LockGroup *group, bool second, uint32_t lacks);

/* Is the group's access at the step one of those? */
bool lock_pivots_lack(const LockPivots *pivots, const LockGroup *group, uint32_t step, bool second, uint32_t lacks);

/* The first step after the one given from which on, as the first of two, lock_pivots_ordered() may say something else;
 * or TRACE_NONE. */
uint32_t lock_pivots_next(const LockPivots *pivots, LockPlace place);

#endif
