/* of_analysis.h: what the run-time analyses say of a run, as a Report. docs/json.md has the members. */
#ifndef REPORT_OF_ANALYSIS_H
#define REPORT_OF_ANALYSIS_H

#include "ask/analysing.h"
#include "report/report.h"

/* Into an empty report. `seconds` and `bytes` are for statistics. The result lives as long as the report. */
void of_analysis(Report *report, const AnalysisReport *result, double seconds, uint64_t bytes);

#endif
