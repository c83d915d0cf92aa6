/* of_run.h: what the monitor found in a run, as a Report. docs/json.md has the members. */
#ifndef REPORT_OF_RUN_H
#define REPORT_OF_RUN_H

#include "ask/monitoring.h"
#include "report/report.h"

/* Of its JSON. */
#define OF_RUN_SCHEMA "tracecheck/2"

/* Into an empty report. `size`, `seconds` and `bytes` are for statistics. The result lives as long as the report. */
void of_run(Report *report, const RunReport *result, MonitorSize size, double seconds, uint64_t bytes);

#endif
