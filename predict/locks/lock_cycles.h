/* lock_cycles.h: all cycles of three and more threads that runs of the same threads can have, the short ones first.
 *
 * A run has a cycle iff it has one through distinct threads (predict/cycle.h), at least one of whose transactions is
 * split. For each split transaction the visits of other threads that can close a cycle are put together, from the last
 * one back to the first, and each such cycle is decided by lock_decide(). What cannot be part of one is left out by two
 * observations. One: a cycle is also one if locks do not count (lock_walks.h). The other: of the split transactions of
 * a cycle take the one that is left last; the next split one on the cycle, call it T, is split at that time already. So
 * what lies between these two on the cycle happens while T is split, and takes none of the locks that T holds all the
 * time. Each split transaction is tried as T. */
#ifndef PREDICT_LOCKS_LOCK_CYCLES_H
#define PREDICT_LOCKS_LOCK_CYCLES_H

#include "predict/locks/lock_decide.h"
#include "predict/locks/lock_found.h"
#include "predict/locks/lock_pivots.h"

/* How far the search has got. */
typedef struct {
  uint64_t decided;   /* cycles, by locks; those that are possible included */
  uint64_t undecided; /* cycles whose search was given up */
  uint32_t length;    /* all cycles of three to that many threads were looked at; at least 2 */
  uint32_t clear;     /* no run has one of three to that many threads; at least 2 */
  bool complete;      /* all cycles of up to max_threads were looked at: there is no other one */
  bool longer;        /* but there may be some of more threads */
} LockCycleCount;

/* What is asked: up to so many threads (0: any number), and a budget of steps, which becomes less. */
typedef struct {
  const LockRun *run;
  Strands *order; /* that of lock_run_order */
  LockDecider *decider;
  LockVisits *visits;
  LockPivots *pivots;
  uint32_t max_threads;
  uint64_t *budget;
} LockCycleQuestion;

/* Stops at the first one without found->all. With it, one cycle for each choice of places in the source and labels; a
 * split transaction that is part of one is not looked for. */
LockCycleCount lock_cycles_find(const LockCycleQuestion *question, LockFound *found);

#endif
