#include "ask/analysing.h"

#include "base/clock.h"

static bool take(void *analysis, uint32_t run, const TraceEvent *events, uint32_t n) {
  (void)run;
  analysis_feed(analysis, events, n);
  return true;
}

/* What is violated in a part of the run is so in all of it. */
static const char *why_open(const AnalysingResult *result) {
  const bool found = !result->input.why[0] && analysis_verdict(result->analysis) == VERDICT_VIOLATED;
  return found ? NULL : run_input_gap(&result->input);
}

bool analysing_run(Heap *heap, const RunSource *source, const AnalysisOptions *options, const AskLimits *limits,
                   AnalysingResult *result, Err *err) {
  const double start = clock_seconds();
  *result = (AnalysingResult){.analysis = analysis_new(heap, options)};
  RunSource viewed = *source;
  viewed.runs = true;
  viewed.views = options->kind != ANALYSIS_REDUCTION;
  run_input_init(&result->input, heap, &viewed, limits);
  if (!run_input_read(&result->input, take, result->analysis, err)) return false;
  const bool whole = !result->input.why[0];
  if (whole) analysis_finish(result->analysis);
  const TraceNames *names = run_input_names(&result->input);
  result->report = (AnalysisReport){.names = names,
                                    .kind = options->kind,
                                    .sync = options->sync,
                                    .analysis = whole ? result->analysis : NULL,
                                    .why = why_open(result),
                                    .events = result->input.n_events,
                                    .threads = trace_name_count(names, TRACE_THREAD_NAME),
                                    .entities = trace_name_count(names, TRACE_OBJECT_NAME),
                                    .skipped = result->input.remarks.skipped,
                                    .suppressed = run_input_left_out(&result->input)};
  result->seconds = clock_seconds() - start;
  return true;
}

void analysing_fini(AnalysingResult *result) {
  analysis_free(result->analysis);
  run_input_fini(&result->input);
}
