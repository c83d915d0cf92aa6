/* analysing.h: the run-time analyses of a run, from its file to what is to be reported. */
#ifndef ASK_ANALYSING_H
#define ASK_ANALYSING_H

#include "ask/run_input.h"
#include "base/verdict.h"
#include "predict/analysis/analysis.h"

/* What is reported of an analysed run. It points into the AnalysingResult, and lives as long as that. */
typedef struct {
  const TraceNames *names;
  AnalysisKind kind;
  Sync sync;
  const Analysis *analysis; /* finished; NULL: it did not come to an end */
  const char *why;          /* then, or if it found nothing, but the log breaks off; else NULL */
  uint64_t events, threads, entities, skipped;
  LeftOutReport suppressed;
} AnalysisReport;

/* A run, its analysis and the report on both. */
typedef struct {
  RunInput input;
  Analysis *analysis;
  AnalysisReport report;
  double seconds;
} AnalysingResult;

/* Reads the run once. False, with *err, if it cannot be read. */
bool analysing_run(Heap *heap, const RunSource *source, const AnalysisOptions *options, const AskLimits *limits,
                   AnalysingResult *result, Err *err);
void analysing_fini(AnalysingResult *result);

#endif
