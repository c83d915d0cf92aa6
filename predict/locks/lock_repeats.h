/* lock_repeats.h: of equal blocks that a thread does one after another, the first and the last one are enough, if they
 * take one lock at most.
 *
 * A block is what a thread does from one position, outside of transactions and without locks, to a later one. Blocks
 * are equal if they have the same steps and labels, no stop among them. Let X be done three times or more, without a
 * lock, or with one part of a lock alone, whose acquire is its first step. Then nothing changes if the copies between
 * the first and the last one are left out:
 *
 *   - a visit within one copy is the same in each of them; one that leaves by a later copy than it enters by is as good
 *     from the first one to the last one, its next then (lock_visits.h); one that enters before, or leaves after them,
 *     has the first or the last one as the nearest;
 *   - a run without these copies is one of the thread that does them, too: right before the last one begins. For when
 *     that acquires its lock, the others leave it to the thread, which needs no other one for the copies. So where a
 *     schedule says how far the thread goes, they are done by then;
 *   - a run with these copies is still one if they are left out. */
#ifndef PREDICT_LOCKS_LOCK_REPEATS_H
#define PREDICT_LOCKS_LOCK_REPEATS_H

#include "predict/locks/lock_runs_inside.h"

/* The life, which is in no transaction and holds no lock that matters, has ended a block. */
void lock_repeats_end_block(Life *life);

#endif
