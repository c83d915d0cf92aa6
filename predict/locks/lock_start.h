/* lock_start.h: where the run that has a cycle can begin.
 *
 * Each thread can first go on, alone, to a position in front of its events of the cycle at which it holds no lock: what
 * was possible before is possible from there, since nobody holds more. So it begins with a part of the recorded run,
 * the greatest positions without locks that are before the cycle, and before nothing that an edge asks for. */
#ifndef PREDICT_LOCKS_LOCK_START_H
#define PREDICT_LOCKS_LOCK_START_H

#include "predict/cycle.h"
#include "predict/locks/lock_runs.h"

/* Steps of a thread. `out` of a visit must be done before `in` of the next one, the last one's before the first one's.
 */
typedef struct {
  uint32_t thread, in, out;
} LockVisit;

/* Is there such a run? UNDECIDED: the budget was used up before that was known. */
typedef enum { LOCK_IMPOSSIBLE, LOCK_POSSIBLE, LOCK_UNDECIDED } LockAnswer;

/* Of each thread and relay of the run: the position. Starts with lock_start_init. */
typedef struct {
  const LockRun *run;
  uint32_t *at;
  uint32_t *reach; /* for lock_start_tell */
} LockStart;

/* The run has to live as long. */
void lock_start_init(LockStart *start, const LockRun *run);
void lock_start_fini(LockStart *start);

/* For n visits of different threads. Where locks are held at edges, in a log that does not respect the locks itself,
 * edges would have to be followed in an order that may not exist: it begins at the beginning. */
void lock_start_find(LockStart *start, const LockVisit *visits, uint32_t n);

/* A run, as it is told. */
typedef struct {
  const LockRun *run;
  Schedule *schedule;
  uint32_t thread; /* of the last step; TRACE_NONE: none yet */
  uint64_t n;      /* calls of lock_telling_add */
} LockTelling;

/* The thread goes on up to that step. Of a relay there is nothing to tell. */
void lock_telling_add(LockTelling *telling, uint32_t thread, uint32_t step);

/* What comes before. Of threads and relays that take part, goal[t] is where they end; the others have 0. */
void lock_start_tell(LockStart *start, const uint32_t *goal, LockTelling *telling);

/* The last thing that the visit does comes right before this position. */
static inline uint32_t lock_visit_need(const LockVisit *visit) {
  return (visit->in > visit->out ? visit->in : visit->out) + 1;
}

static inline uint32_t lock_visit_first(const LockVisit *visit) {
  return visit->in < visit->out ? visit->in : visit->out;
}

#endif
