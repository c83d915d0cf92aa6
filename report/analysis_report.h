/* analysis_report.h: what the run-time analyses say of a run: as text and as JSON (docs/json.md). */
#ifndef REPORT_ANALYSIS_REPORT_H
#define REPORT_ANALYSIS_REPORT_H

#include "ask/analysing.h"
#include "report/run_finding.h"

Verdict analysis_report_verdict(const AnalysisReport *report);
const char *analysis_verdict_name(Verdict verdict); /* "atomic", "possibly not atomic", "unknown" */

void analysis_report_text(Heap *heap, const AnalysisReport *report, RunStyle style, FILE *out);
void analysis_report_json(Heap *heap, const AnalysisReport *report, FILE *out);

#endif
