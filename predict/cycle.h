/* cycle.h: what prediction finds: a cycle of transactions that another run of the same threads has, and that run.
 *
 * A shortest cycle goes through distinct threads. It enters each of them by one event and leaves it by another, or the
 * same one, of the same transaction, or of a later one. The event by which it leaves a thread conflicts with the one by
 * which it enters the next, and comes before it. So in at least one thread it leaves a transaction before it enters it:
 * that transaction is split. (Farzan and Madhusudan, "The complexity of predicting atomicity violations", TACAS 2009,
 * Lemma 3; with events for the paper's profiles.) */
#ifndef PREDICT_CYCLE_H
#define PREDICT_CYCLE_H

#include "base/vec.h"
#include "base/verdict.h"
#include "predict/sync.h"

#include <stdbool.h>

/* Events are numbered from 0, as they stand in the run. */
typedef struct {
  uint32_t thread;
  uint64_t in, out;
} CycleVisit;

/* The way leads from `out` of a visit to `in` of the next one, from the last to the first. In visit 0 the transaction
 * is split. */
typedef struct {
  uint32_t n; /* at least 2 */
  CycleVisit *visits;
} Cycle;

/* A run of the same threads: step by step, the thread goes on up to its event number `until` of the recorded run, and
 * with it. All other threads wait. */
typedef struct {
  uint32_t thread;
  uint64_t until;
} ScheduleStep;

/* The steps of one run, in its order. */
typedef VEC(ScheduleStep) Schedule;

/* How far a search for cycles goes. Its verdict: VERDICT_HOLDS: there is none, which is proved; VERDICT_VIOLATED: one
 * was found; VERDICT_UNKNOWN: a limit was reached before. Where the heap is asked to stop, it ends as if the budget had
 * been used up. */
typedef struct {
  bool all;             /* go on after the first violation: what `all` finds, each search says */
  uint64_t budget;      /* steps of the search, some 10^7 to 10^8 a second; 0: as many as it takes */
  uint32_t max_threads; /* of a cycle, at least 2; 0: any number. Then the verdict is about such cycles */
  Sync sync;            /* do hand-overs count? Locks are for those to know who respect them */
} PredictOptions;

#endif
