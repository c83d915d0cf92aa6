/* monitoring.h: a run is monitored, and what was found is judged. */
#ifndef ASK_MONITORING_H
#define ASK_MONITORING_H

#include "ask/call_stacks.h"
#include "ask/checkpoint.h"
#include "ask/run_input.h"
#include "base/verdict.h"
#include "serial/monitor.h"

/* How far the judge could compare the cycles that were found with the run itself. */
typedef enum {
  RUN_NOT_CHECKED, /* there is no cycle to check */
  RUN_AGREES,      /* the input cannot be read again, or there was no time for it: the cycles agree with themselves */
  RUN_CHECKED      /* against the run, read once more */
} RunChecked;

/* What is reported of a monitored run. It points into the MonitoringResult, and lives as long as that. */
typedef struct {
  const TraceNames *names;
  Verdict verdict;
  MonitorNotion notion;
  const MonitorFinding *findings;
  uint32_t n_findings;
  const CallStacks *stacks; /* of the events in the findings; or NULL */
  RunChecked checked;
  const char *why; /* of VERDICT_UNKNOWN, which limit it was; else NULL */
  uint64_t events; /* that were looked at */
  uint64_t threads, entities, skipped;
  LeftOutReport suppressed;
} RunReport;

/* A run, its monitor and the report on both. */
typedef struct {
  RunInput input;
  Monitor *monitor; /* that the findings are of */
  CallStacks stacks;
  RunReport report;
  MonitorSize size; /* of the engine that was asked for */
  double start, seconds;
  bool settled; /* more of the run would change nothing */
} MonitoringResult;

/* Monitors the run, and judges each cycle: false with ERR_CHECK if one is not a cycle. If the engine knows no cycles,
 * another one finds them, where the input can be read again. False with ERR_INPUT or ERR_IO if the run cannot be read.
 */
bool monitoring_run(Heap *heap, const RunSource *source, const MonitorOptions *options, const AskLimits *limits,
                    MonitoringResult *result, Err *err);
/* The same, of one run without suppressions by MONITOR_SCG, with a checkpoint that was initialised for it; or NULL. */
bool monitoring_go_on(Heap *heap, const RunSource *source, const MonitorOptions *options, const AskLimits *limits,
                      Checkpoint *checkpoint, MonitoringResult *result, Err *err);
/* The answer where monitoring_run was left, and why that was. */
void monitoring_give_up(const MonitorOptions *options, MonitoringResult *result, const char *why);
void monitoring_fini(MonitoringResult *result);

/* Of a run that cannot be read again: false, with ERR_CHECK, if one of the cycles of the report does not agree with
 * itself. */
bool monitoring_agrees(Heap *heap, const RunReport *report, const MonitorOptions *options, Err *err);

#endif
