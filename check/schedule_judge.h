/* schedule_judge.h: is an order of some events of a recorded run another run of the same threads? Looks at the events
 * themselves, and shares nothing with what made the order.
 *
 * It is one if of each thread it has the first events, in their order; if what a thread does after its fork comes after
 * the fork, and what it does before its join, all of it, before the join; if, where hand-overs count, a wait comes
 * after all signals of its group; and if, where locks count, no thread acquires a lock that another one holds, but
 * those who share it. To free memory is no event here. A thread is what its number stands for between joins: after a
 * join of it outside of transactions the number stands for a new one. Locks are reentrant, the release of a lock that
 * is not held is nothing.
 *
 * Several runs may have been recorded. Then a thread's events must all be of one run, and where a fork or join is of
 * another run than the thread's events, it counts for them as if it were of theirs: some fork comes before the first
 * event of a thread that was forked, and after a join the thread, to the end of its run, has ended. The signals that a
 * wait comes after are those of its run. */
#ifndef CHECK_SCHEDULE_JUDGE_H
#define CHECK_SCHEDULE_JUDGE_H

#include "check/run_judge.h"

/* Tells what event number `number` of what was recorded is. */
typedef JudgeEvent JudgeRecorded(const void *source, uint64_t number);

/* What was recorded. What it points to stays the caller's. */
typedef struct {
  JudgeRecorded *event; /* of all runs, one after another; of each the same whenever it is asked */
  const void *source;
  uint32_t n;           /* below UINT32_MAX */
  const uint64_t *runs; /* the first events of all runs but the first, ascending */
  uint32_t n_runs;      /* with the first: at least 1 */
  bool locks;           /* they count */
  bool handovers;       /* likewise; else signals and waits are no events */
} RecordedRun;

/* The judge of orders of one recorded run's events. */
typedef struct ScheduleJudge ScheduleJudge;

/* The recorded run stays the caller's, and as it is. Takes four bytes for each of its events, and some more for
 * threads, forks, joins, signals and waits. */
ScheduleJudge *schedule_judge_new(Heap *heap, const RecordedRun *run);
void schedule_judge_free(ScheduleJudge *judge); /* NULL is allowed */

/* `order`: n events by their numbers; any number of orders. False, with ERR_CHECK, if it is no such run. */
bool schedule_judge(ScheduleJudge *judge, const uint32_t *order, uint32_t n, Err *err);

#endif
