/* analysing.h: the run-time analyses of a run, from its file to what is to be reported. */
#ifndef TOOLS_ANALYSING_H
#define TOOLS_ANALYSING_H

#include "report/analysis_report.h"
#include "tools/run_input.h"

typedef struct {
  RunInput input;
  Analysis *analysis;
  AnalysisReport report;
  double seconds;
} AnalysingResult;

/* Reads the run once. False, with *err, if it cannot be read. */
bool analysing_run(Heap *heap, const Spool *spool, const TraceOptions *trace, const AnalysisOptions *options, const WorkOptions *work,
                   AnalysingResult *result, Err *err);
void analysing_fini(AnalysingResult *result);

#endif
