/* lock_visits.h: the ways in which a cycle can pass through a thread, each once.
 *
 * Of a thread it is enough to know, for the accesses by which it is entered and left: what it does with locks from the
 * last position before at which it holds none to the first one afterwards, where in between the two accesses stand, and
 * what forks and joins come before. Where that is the same, one visit answers for all. If the thread is entered before
 * it is left, there need be no other access of the same kind between: the nearest ones leave most to the others. If it
 * is left first, the transaction is split, and the way out is its first access of that kind. */
#ifndef PREDICT_LOCKS_LOCK_VISITS_H
#define PREDICT_LOCKS_LOCK_VISITS_H

#include "predict/locks/lock_start.h"

/* Visits of one thread. */
typedef VEC(LockVisit) LockVisitList;

/* The visits of a run's threads, found when they are asked for and then kept. */
typedef struct LockVisits LockVisits;

/* With `by_place`, visits that differ in places of the source or labels are told apart. */
LockVisits *lock_visits_new(const LockRun *run, bool by_place);
void lock_visits_free(LockVisits *visits); /* NULL is allowed */

/* The visits of a thread that enter by an access of one group and leave by one of the other; valid as long as `visits`.
 */
const LockVisitList *lock_visits_get(LockVisits *visits, const LockGroup *in, const LockGroup *out);

/* The same, not kept, and equal ones may come more than once, for where there are few: in `list`, which is the run's
 * heap's. */
void lock_visits_list(LockVisits *visits, const LockGroup *in, const LockGroup *out, LockVisitList *list);

/* A number for all that matters of a visit, and of nothing else but chance. */
uint64_t lock_visit_key(const LockRun *run, const LockVisit *visit, bool by_place);

/* The places of the source and labels alone. */
uint64_t lock_visit_place(const LockRun *run, const LockVisit *visit);

#endif
