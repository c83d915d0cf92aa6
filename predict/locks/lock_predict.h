/* lock_predict.h: could another run of the same threads, with the same locks, not be conflict serializable? From one
 * run.
 *
 * What is looked for is an order of the events of some first part of each thread's own run in which no two threads hold
 * a lock at once, a thread begins after its fork, a join comes after all of the thread, and whose conflict graph has a
 * cycle; locks are no conflicts (serial/monitor.h; a transaction may be open at the end). Locks are reentrant. Values
 * are not looked at: a thread that reads something else might do something else.
 *
 * The run itself is taken to be one of those. It need not be: where two threads hold a lock at once in it, the answer
 * is still that to the question above, though more slowly if there are forks or joins. What lock_runs.h says of
 * threads, objects and odd logs holds here.
 *
 * The answer is exact, and a proof, unless a budget is used up; two parts of a run with the same 61-bit or 64-bit hash
 * are taken to be the same. */
#ifndef PREDICT_LOCKS_LOCK_PREDICT_H
#define PREDICT_LOCKS_LOCK_PREDICT_H

#include "predict/cycle.h"
#include "trace/trace.h"

/* How far the answer goes. Threads of a cycle are counted. */
typedef struct {
  uint64_t events, steps; /* of the run; those of them that can matter */
  uint64_t decided;       /* possible cycles that the locks were asked about, with an answer */
  uint64_t undecided;     /* without one: the budget did not suffice */
  uint32_t length;        /* all cycles of up to so many threads were looked at; at least 1 */
  uint32_t clear; /* no run has a cycle of up to so many threads: 2 is, no violation between two threads alone */
  bool complete;  /* all was looked at: with `all`, there are no other violations */
} LockPredictCount;

/* A prediction from one run. */
typedef struct LockPrediction LockPrediction;

/* No events yet. The options are copied; memory is the heap's until lock_predict_free. */
LockPrediction *lock_predict_new(Heap *heap, const PredictOptions *options);
void lock_predict_free(LockPrediction *prediction); /* NULL is allowed */

/* The run is read twice: first all of it is surveyed, in order, to see what can matter; then the same is fed. */
void lock_predict_survey(LockPrediction *prediction, const TraceEvent *events, uint32_t n);
void lock_predict_feed(LockPrediction *prediction, const TraceEvent *events, uint32_t n);

/* Was the same fed as was surveyed? (But for chance.) If not, there is nothing to be said. */
bool lock_predict_is_same(LockPrediction *prediction);

/* The run is over; once. It was the same. */
Verdict lock_predict_finish(LockPrediction *prediction);

/* What was found, and for each one a run that has it, from its beginning: in it the cycle's events come in the order
 * that the cycle says. Threads of a schedule are the recorded numbers: where one stands for several threads, the event
 * tells which. They belong to the prediction. With `all` each violation, as places of the source and labels tell it,
 * comes once, the nearest events for it; one through more threads only where its split transactions are not split by a
 * shorter one. */
const Cycle *lock_predict_cycles(const LockPrediction *prediction, uint32_t *n);
const Schedule *lock_predict_schedules(const LockPrediction *prediction);

/* After lock_predict_finish: how far the answer goes. */
LockPredictCount lock_predict_count(const LockPrediction *prediction);

#endif
