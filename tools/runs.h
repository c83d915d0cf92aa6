/* runs.h: what tracecheck does, apart from its command line: monitor a run, and have what was found judged. */
#ifndef TOOLS_RUNS_H
#define TOOLS_RUNS_H

#include "report/run_report.h"
#include "serial/monitor.h"
#include "tools/run_input.h"

typedef struct {
  const Spool *input;
  TraceOptions trace;
  MonitorOptions monitor;
  const WorkOptions *work;
} RunsOptions;

typedef struct {
  RunInput input;
  Monitor *monitor;   /* that the findings are of */
  RunReport report;
  MonitorSize size;   /* of the engine that was asked for */
  double start, seconds;
} RunsResult;

/* Monitors the run. Each cycle has been judged then: false with ERR_CHECK if one is none. Of an engine that knows no cycles
 * they are found by another one, where the input can be read again. False with ERR_INPUT or ERR_IO if the run cannot be read. */
bool runs_check(Heap *heap, const RunsOptions *options, RunsResult *result, Err *err);
/* The answer where runs_check was left, and why that was. */
void runs_give_up(const RunsOptions *options, RunsResult *result, const char *why);
void runs_fini(RunsResult *result);

#endif
