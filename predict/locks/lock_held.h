/* lock_held.h: what a thread has held all the time since some step, as far as that keeps others away. */
#ifndef PREDICT_LOCKS_LOCK_HELD_H
#define PREDICT_LOCKS_LOCK_HELD_H

#include "predict/locks/lock_runs.h"

/* Parts of locks, in no order. Starts as {0} but for the run, whose heap it grows from. */
typedef struct {
  const LockRun *run;
  U32Vec locks;
} LockHeld;

void lock_held_fini(LockHeld *held);

/* Begins anew, with that set. */
void lock_held_begin(LockHeld *held, uint32_t set);

/* The thread goes on by a step: what that releases is not held any more. */
void lock_held_pass(LockHeld *held, const LockStep *step);

/* Can another thread hold the set meanwhile? */
bool lock_held_avoids(const LockHeld *held, uint32_t set);

/* Can another thread have an access of the group meanwhile? */
bool lock_held_avoids_any(const LockHeld *held, const LockGroup *group);

#endif
