/* deadlock.h: can the net reach a marking in which no transition is enabled, or in which a formula holds, and by what
 * shortest firing sequence? */
#ifndef UNFOLD_DEADLOCK_H
#define UNFOLD_DEADLOCK_H

#include "petri/formula.h"
#include "unfold/unfold.h"

/* Is there a deadlock? Where a formula is given, all that is said of deadlocks is meant of markings in which it holds.
 */
typedef enum {
  DEADLOCK_NONE, /* no reachable marking is a deadlock */
  DEADLOCK_FOUND,
  DEADLOCK_UNKNOWN /* the heap was asked to stop, or `why` says it */
} DeadlockAnswer;

/* The answer, and the way there. */
typedef struct {
  DeadlockAnswer answer;
  bool shortest; /* FOUND: no firing sequence of the net to any deadlock is shorter. False where a limit came first */
  TransId *
      run; /* FOUND: a firing sequence to a deadlock, from the prefix's heap; to be released by the caller. Else NULL */
  uint32_t n_run;
  char why[160]; /* UNKNOWN: why, if it is not the heap's limits: the solver is missing, and there are too many markings
                    to search them all; else "" */
} Deadlock;

/* How a deadlock is sought. */
typedef struct {
  const Formula *formula; /* NULL: it is deadlocks that are sought */
  bool any;               /* the first deadlock that is found will do, near or not */
  bool by_solver;         /* by the SAT solver alone. Else it takes turns with a search of the reachable markings, */
  uint64_t portion;       /* whose first turn is so long (states.h); 0: as it suits the prefix */
} DeadlockOptions;

/* The prefix must be UNFOLD_COMPLETE, in either order. The same prefix and options give the same answer, if it comes to
 * an end.
 *
 * Running out of memory before a deadlock is found leaves the heap_try(). After that it is a limit like the others: the
 * answer is a deadlock that may not be a nearest one, and what the search held is only given back with the heap. */
Deadlock deadlock_find(const Prefix *prefix, const DeadlockOptions *options);

#endif
