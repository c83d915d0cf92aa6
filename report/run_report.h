/* run_report.h: what the monitor has to say of a run: as text, as JSON (docs/json.md), and drawn. */
#ifndef REPORT_RUN_REPORT_H
#define REPORT_RUN_REPORT_H

#include "report/run_finding.h"

typedef enum {
  RUN_NOT_CHECKED, /* there is no cycle to check */
  RUN_AGREES,      /* the input cannot be read again, or there was no time for it: the cycles agree with themselves */
  RUN_CHECKED      /* against the run, read once more */
} RunChecked;

typedef struct {
  const TraceNames *names;
  Verdict verdict;
  MonitorNotion notion;
  const MonitorFinding *findings;
  uint32_t n_findings;
  RunChecked checked;
  const char *why;  /* of VERDICT_UNKNOWN, which limit it was; else NULL */
  uint64_t events;  /* that were looked at */
  uint64_t threads, entities, skipped;
} RunReport;

const char *run_verdict_name(const RunReport *report); /* "serializable" or "causally atomic", "violated", "unknown" */

void run_report_text(Heap *heap, const RunReport *report, RunStyle style, FILE *out);
void run_report_json(Heap *heap, const RunReport *report, FILE *out);
/* A cluster per cycle. False, with ERR_IO, if graphviz cannot do it. */
bool run_report_dot(Heap *heap, const RunReport *report, FILE *out, Err *err);

#endif
