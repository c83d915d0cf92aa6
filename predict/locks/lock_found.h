/* lock_found.h: the cycles that were found, each with its run: with `all`, one for each choice of places in the source
 * and labels. */
#ifndef PREDICT_LOCKS_LOCK_FOUND_H
#define PREDICT_LOCKS_LOCK_FOUND_H

#include "predict/locks/lock_visits.h"
#include "predict/pairs.h"

/* Cycles; and runs, each as its schedule. */
typedef VEC(Cycle) CycleList;
typedef VEC(Schedule) ScheduleList;

/* Starts as {0}, but for the run and `all`. What is found is the caller's: pieces of the run's heap. */
typedef struct {
  const LockRun *run;
  bool all;
  CycleList cycles;
  ScheduleList schedules;
  Pairs places;    /* of the cycles, the halves of hashes */
  Pairs explained; /* of splits that are part of a cycle */
} LockFound;

/* Releases all but the cycles and schedules. */
void lock_found_fini(LockFound *found);

/* With `all`: was a cycle through such places found? */
bool lock_found_has(const LockFound *found, const LockVisit *visits, uint32_t n);

/* With `all`: is a split at such places part of a cycle? */
bool lock_found_explains(const LockFound *found, const LockVisit *split);

/* A cycle that is there, and its run, which is taken over. */
void lock_found_add(LockFound *found, const LockVisit *visits, uint32_t n, const Schedule *schedule);

#endif
