/* lock_order.h: what must come before what, by program order, forks and joins alone: vector clocks at the ends of edges. */
#ifndef PREDICT_LOCKS_LOCK_ORDER_H
#define PREDICT_LOCKS_LOCK_ORDER_H

#include "predict/locks/lock_runs.h"

typedef struct LockOrder LockOrder;

/* Where threads and edges are too many for clocks, nothing is known, and lock_order_past() is 0 between different threads. */
LockOrder *lock_order_new(const LockRun *run);
void lock_order_free(LockOrder *order); /* NULL is allowed */

/* How many steps of `thread` must be done before the place's own step. */
uint32_t lock_order_past(const LockOrder *order, LockPlace place, uint32_t thread);

#endif
