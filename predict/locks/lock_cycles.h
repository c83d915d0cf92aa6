/* lock_cycles.h: all cycles that runs of the same threads can have, the short ones first.
 *
 * A run has a cycle iff it has one through distinct threads (predict/cycle.h), at least one of whose transactions is
 * split. For each split transaction the visits of other threads that can close a cycle are put together, from the last
 * one back to the first, and each such cycle is decided by lock_search(). What cannot be part of one is left out by two
 * observations. One: a cycle is also one if locks do not count (lock_walks.h). The other: of the split transactions of
 * a cycle take the one that is left last; the next split one on the cycle, call it T, is split at that time already. So
 * what lies between these two on the cycle happens while T is split, and takes none of the locks that T holds all the
 * time. Each split transaction is tried as T. */
#ifndef PREDICT_LOCKS_LOCK_CYCLES_H
#define PREDICT_LOCKS_LOCK_CYCLES_H

#include "predict/cycle.h"
#include "predict/locks/lock_runs.h"

/* How far the search has got. */
typedef struct {
  uint64_t decided;   /* cycles, by locks; those that are possible included */
  uint64_t undecided; /* cycles whose search was given up */
  uint32_t length;    /* all cycles of up to that many threads were looked at */
  uint32_t clear;     /* no run has one of up to that many threads; 1 if nothing of that kind is known */
  bool complete;      /* all cycles were looked at: there is no other one */
} LockCycleCount;

/* Cycles; and runs, each as its schedule. */
typedef VEC(Cycle) CycleList;
typedef VEC(Schedule) ScheduleList;

/* Stops at the first one without options->all. With it, one cycle for each choice of places in the source and labels; a
 * split transaction that is part of one is not looked for in longer ones. The visits are pieces of the heap. */
LockCycleCount lock_cycles_find(const LockRun *run, const PredictOptions *options, CycleList *cycles,
                                ScheduleList *schedules);

#endif
