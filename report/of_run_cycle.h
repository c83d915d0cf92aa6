/* of_run_cycle.h: a cycle of transactions in a run, that happened or that is predicted, as a Finding, and as members.
 */
#ifndef REPORT_OF_RUN_CYCLE_H
#define REPORT_OF_RUN_CYCLE_H

#include "ask/predicting.h"
#include "report/report.h"

/* What is said of a cycle. */
typedef struct {
  bool brief; /* without an example */
  const char *rule;
  const char *what; /* of its first transaction: "is not serializable" */
  const PredictedLeg *
      legs; /* the run in which it is; none: the one that was observed, and events come in the order of their numbers */
  uint32_t n_legs;
  const CallStacks *stacks; /* of its events; or NULL */
} RunCycleWords;

/* "error: ", what the first transaction is said to be, a note for each edge, and one for the call stack of each end of
 * an edge; the example is the ends of the edges, and the begins and ends of transactions. */
Finding of_run_cycle(Arena *arena, const TraceNames *names, const MonitorFinding *cycle, const RunCycleWords *words);

/* Two members of the object that is open: the event in which it was found, and the cycle. */
void of_run_cycle_members(Members *members, const TraceNames *names, const MonitorFinding *cycle,
                          const CallStacks *stacks);

#endif
