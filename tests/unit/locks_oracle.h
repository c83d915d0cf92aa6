/* locks_oracle.h: what is true of a run's threads by definition: all their runs, with forks, joins and reentrant locks. Shares
 * nothing with predict/. */
#ifndef TESTS_UNIT_LOCKS_ORACLE_H
#define TESTS_UNIT_LOCKS_ORACLE_H

#include "predict/cycle.h"
#include "tests/oracle/serial_runs.h"

enum { LOCKS_MAX = 40 }; /* events of a run that is looked at */

typedef struct {
  const TraceEvent *events;
  uint32_t n;
  SerialRun study;
  uint32_t own[LOCKS_MAX];   /* the thread of each event: a life of a number, from 0 */
  uint32_t other[LOCKS_MAX]; /* the one that it forks or joins, or TRACE_NONE */
  uint32_t n_threads;
  uint32_t order[LOCKS_MAX]; /* events thread by thread, each as it is in the run */
  uint32_t first[LOCKS_MAX + 2]; /* where a thread's begin in `order` */
} LockedRun;

void locked_study(LockedRun *run, const TraceEvent *events, uint32_t n);

/* Has some run of the threads a conflict graph with a cycle? At most 64 transactions. */
bool locked_violated(const LockedRun *run);

/* Is the schedule a run of the threads in which the events of the cycle come in its order, and is the run not serializable?
 * By the conflict graph and, where the monitor knows the threads by their numbers, by MONITOR_CG. Else *why says what is
 * wrong. */
bool locked_judge(const LockedRun *run, const Cycle *cycle, const Schedule *schedule, const char **why);

#endif
