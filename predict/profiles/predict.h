/* predict.h: has another run of the same threads a cycle of transactions? Events go in, in the order of the run; cycles
 * come out, and runs that have them. (Farzan and Madhusudan, "The complexity of predicting atomicity violations", TACAS
 * 2009: profiles.)
 *
 * Another run is any interleaving of prefixes of what the threads did, that respects fork and join, and hand-overs:
 * what was done by a thread, and all forks and joins of this thread, stay in their order, and a wait comes after the
 * signals of its group, if options->sync says so. That is an order of events, and no reason why a transaction must come
 * before another. Locks do not count. Transactions, conflicts, and what a thread number stands for after a join are as
 * in serial/monitor.h.
 *
 * What is freed is another object afterwards, and the free by itself orders nothing: in the other run an object can be
 * used by one thread though another one has freed it. So a run that is made of a schedule is to be read with its
 * objects told apart as they are in the run that was fed, and without its frees.
 *
 * Several runs of a program may be fed. Threads with the same number in different runs are alternatives, of which
 * another run takes one; objects with the same number are the same, unless they were freed. What is found is possible.
 * But where threads of different runs come together, fork and join are looked at when a cycle has been found, and it is
 * refused if they do not fit: then the verdict may be VERDICT_UNKNOWN though there is another cycle, or none. With runs
 * without fork and join the answer is exact. */
#ifndef PREDICT_PROFILES_PREDICT_H
#define PREDICT_PROFILES_PREDICT_H

#include "predict/cycle.h"
#include "trace/trace.h"

/* A prediction from one run, or from several of the same program. */
typedef struct Prediction Prediction;

/* With options->all: each violation by two threads, told apart by the places of its four events (no place is one, too)
 * and the labels of their transactions; then a longer cycle for transactions, by label and place of the begin, that no
 * cycle has split yet. Else one shortest cycle. The budget is for cycles of more than two. */
Prediction *predict_new(Heap *heap, const PredictOptions *options);
void predict_free(Prediction *p); /* NULL is allowed */

/* The next events. Memory grows with the distinct transactions of the threads, not with their number. */
void predict_feed(Prediction *p, const TraceEvent *events, uint32_t n);

/* What follows is another run: its threads start anew. Events are numbered on. */
void predict_next_run(Prediction *p);

/* Where the events can be read twice, all of them go here first, with predict_next_run between runs; then all go to
 * predict_feed. What only one thread uses, or nobody writes, is passed over then: faster, in less memory, with the same
 * answer. */
void predict_survey(Prediction *p, const TraceEvent *events, uint32_t n);

/* All was fed: the answer. Once. */
Verdict predict_finish(Prediction *p);

/* Where the events can be read once more, after predict_finish: nearer events for the same cycles, and shorter
 * schedules. All events again, as long as predict_seek is true, with those of several runs one after another; then
 * predict_sought. */
bool predict_seek(Prediction *p, const TraceEvent *events, uint32_t n);
void predict_sought(Prediction *p);

/* Valid until predict_free. */
const Cycle *predict_cycles(const Prediction *p, uint32_t *n);
/* A run that has cycle i: the steps, and in them the events, are possible in that order. Thread 0 of the cycle goes up
 * to `out`, then come the other ones, then it goes on to `in`; what has to be forked or joined first is in front of
 * each. */
const Schedule *predict_schedule(const Prediction *p, uint32_t i);

/* Was the budget used up; was a cycle refused? In both cases there may be more than was found. */
bool predict_is_partial(const Prediction *p);
bool predict_has_refused(const Prediction *p);

uint64_t predict_events(const Prediction *p);       /* fed */
uint64_t predict_transactions(const Prediction *p); /* distinct ones, of each thread; for statistics */

#endif
