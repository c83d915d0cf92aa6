/* run_report.h: what the monitor has to say of a run: as text, as JSON (docs/json.md), and drawn. */
#ifndef REPORT_RUN_REPORT_H
#define REPORT_RUN_REPORT_H

#include "ask/monitoring.h"
#include "report/run_finding.h"

const char *run_verdict_name(const RunReport *report); /* "serializable" or "causally atomic", "violated", "unknown" */

void run_report_text(Heap *heap, const RunReport *report, RunStyle style, FILE *out);
void run_report_json(Heap *heap, const RunReport *report, FILE *out);
/* A cluster per cycle. False, with ERR_IO, if graphviz cannot do it. */
bool run_report_dot(Heap *heap, const RunReport *report, FILE *out, Err *err);

#endif
