#include "tools/analysing.h"

#include "base/clock.h"

typedef struct {
  Analysis *analysis;
  uint64_t n_events;
  Progress progress;
} Feeding;

static bool take(void *argument, uint32_t run, const TraceEvent *events, uint32_t n) {
  Feeding *feeding = argument;
  (void)run;
  analysis_feed(feeding->analysis, events, n);
  feeding->n_events += n;
  progress_count(&feeding->progress, feeding->n_events);
  return true;
}

bool analysing_run(Heap *heap, const Spool *spool, const TraceOptions *trace, const AnalysisOptions *options, const WorkOptions *work,
                   AnalysingResult *result, Err *err) {
  const double start = clock_seconds();
  *result = (AnalysingResult){.analysis = analysis_new(heap, options)};
  Feeding feeding = {.analysis = result->analysis};
  run_input_init(&result->input, heap, spool, 1, trace, work);
  progress_init(&feeding.progress, heap, work);
  const bool good = run_input_read(&result->input, take, &feeding, err);
  progress_clear(&feeding.progress);
  if (!good) return false;
  const bool whole = !result->input.why[0];
  if (whole) analysis_finish(result->analysis);
  const TraceNames *names = run_input_names(&result->input);
  result->report = (AnalysisReport){.names = names, .kind = options->kind, .analysis = whole ? result->analysis : NULL,
                                    .why = whole ? NULL : result->input.why, .events = feeding.n_events,
                                    .threads = trace_name_count(names, TRACE_THREAD_NAME),
                                    .entities = trace_name_count(names, TRACE_OBJECT_NAME), .skipped = result->input.skipped};
  result->cut_short = result->input.cut_short;
  result->seconds = clock_seconds() - start;
  return true;
}

void analysing_fini(AnalysingResult *result) {
  analysis_free(result->analysis);
  run_input_fini(&result->input);
}
