/* lock_merge.h: prediction with locks from several runs of one program: each thread may behave as in any of the runs
 * (A. Farzan, P. Madhusudan, "The complexity of predicting atomicity violations", TACAS 2009, Theorem 4, where threads
 * are regular programs).
 *
 * For each choice of a run for each thread that has a choice, one run is put together from what the threads do in
 * these, thread by thread, as far as forks, joins and hand-overs let each of them come; then it is predicted from
 * (lock_predict.h). Threads and objects are matched by number. A fork or join counts for a thread of another run as if
 * it were of its own: one that was forked has to be, by whoever does it in the chosen runs, and after a join the thread
 * has ended. The signals that a wait comes after are those of its run, all of which have to be chosen. The runs are
 * proper: a thread begins after its fork, and is in no transaction at its join.
 *
 * Choices that are too many, and threads that several others fork or join, leave the verdict unknown, if nothing is
 * found. */
#ifndef PREDICT_LOCKS_LOCK_MERGE_H
#define PREDICT_LOCKS_LOCK_MERGE_H

#include "predict/locks/lock_predict.h"

enum { LOCK_MERGE_CHOICES = 4096 };

/* A prediction from several runs. */
typedef struct LockMerge LockMerge;

/* No events yet. The options are copied; memory is the heap's until lock_merge_free. */
LockMerge *lock_merge_new(Heap *heap, const PredictOptions *options);
void lock_merge_free(LockMerge *merge); /* NULL is allowed */

/* The next events, of that run; runs are numbered from 0, and come one after another. */
void lock_merge_feed(LockMerge *merge, uint32_t run, const TraceEvent *events, uint32_t n);

/* The runs are over; once. */
Verdict lock_merge_finish(LockMerge *merge);

/* As lock_predict.h has them; events are numbered through all runs. */
const Cycle *lock_merge_cycles(const LockMerge *merge, uint32_t *n);
const Schedule *lock_merge_schedules(const LockMerge *merge);

/* After lock_merge_finish: the least that any of the choices has; complete, if all were tried. */
LockPredictCount lock_merge_count(const LockMerge *merge);

/* After lock_merge_finish: how many ways there are to take each thread from one of the runs; at most UINT64_MAX. */
uint64_t lock_merge_choices(const LockMerge *merge);

/* What the answer leaves open, if no limit was reached, or NULL. */
const char *lock_merge_gap(const LockMerge *merge);

#endif
