/* lock_pivots.h: where locks alone make transactions serializable: a quick proof, for cycles of any length.
 *
 * Each transaction gets a pivot, one of its steps, and each object a lock, the one under which it is touched most often. An access is
 * firm if its object's lock is held from it to the pivot, or from the pivot to it. If two firm accesses to an object come one after
 * the other, so do the pivots of their transactions; the same holds if forks and joins put the first pivot before the second access and
 * its pivot. So a cycle has at least one edge that is neither. (Two-phase locking, K. Eswaran, J. Gray, R. Lorie and I.
 * Traiger, "The notions of consistency and predicate locks in a database system", CACM 1976, where the pivot is the lock point.) */
#ifndef PREDICT_LOCK_PIVOTS_H
#define PREDICT_LOCK_PIVOTS_H

#include "predict/lock_order.h"
#include "predict/lock_runs.h"

typedef struct LockPivots LockPivots;

LockPivots *lock_pivots_new(const LockRun *run, const LockOrder *order);
void lock_pivots_free(LockPivots *pivots); /* NULL is allowed */

/* Is there an access that is not firm, or an edge that does not keep the order of the pivots? If not, no run has a cycle. Ends of
 * edges are never firm. */
bool lock_pivots_any_loose(const LockPivots *pivots);

/* Must the pivot of the first one's transaction come before that of the second one's, if the first one comes before the second one? They are rivals. */
bool lock_pivots_keep(const LockPivots *pivots, LockPlace from, LockPlace to, uint32_t class);

/* Does forking and joining alone see to it? If it does, then for all later `to` of the thread, too. */
bool lock_pivots_ordered(const LockPivots *pivots, LockPlace from, LockPlace to);

/* Those of the group's accesses that are not firm, as a group. */
const LockGroup *lock_pivots_loose(const LockPivots *pivots, const LockGroup *group);

/* The first step behind the one given from which on, as the first of two, lock_pivots_ordered() may say something else. */
uint32_t lock_pivots_next(const LockPivots *pivots, LockPlace place);

#endif
