#include "ask/predicting_inside.h"

#include "base/clock.h"
#include "predict/pushdown/play_program.h"
#include "ask/serializability.h"

#include <string.h>

/* ---- without locks ---- */

/* After an error in the text, which the diag has, *err is ERR_INPUT without a text. */
static bool predict_text(Heap *heap, const PredictingOptions *options, Diag *diag, PushdownPrediction *prediction,
                         Err *err) {
  const PredictOptions limits = {false, options->budget, options->max_threads};
  SmlOptions sml = options->program->sml;
  Program program;
  sml.recursion = true;
  err->kind = ERR_INPUT;
  err->text[0] = '\0';
  if (!sml_program(heap, &sml, diag, &program)) return false;
  const bool good = pushdown_predict(heap, &program, sml.granularity, &limits, prediction, err);
  program_fini(&program);
  return good;
}

static bool predict_program(Heap *heap, const PredictingOptions *options, const InFile *file,
                            PushdownPrediction *prediction, Err *err) {
  Diag diag;
  bool good = program_input_begin(heap, file, options->program, &diag, err);
  if (good) {
    good = predict_text(heap, options, &diag, prediction, err);
    program_input_say(options->program, &diag);
  }
  diag_fini(&diag);
  return good;
}

static bool add_program_run(Heap *heap, const PushdownPrediction *prediction, PredictingResult *result, Err *err) {
  Play play;
  Cycle cycle = {0, arena_zeroed(&result->arena, prediction->visits.n + 1, sizeof(CycleVisit))};
  play_program(&play, heap, prediction, &cycle);
  const MonitorFinding finding = play_finding(&play, &result->arena, &cycle);
  return predicting_add(heap, result, &play, &finding, err);
}

static bool program_without_locks(Heap *heap, const PredictingOptions *options, const InFile *file, PredictingResult *result, Err *err) {
  PushdownPrediction prediction;
  if (!predict_program(heap, options, file, &prediction, err)) return false;
  PredictionReport *report = &result->report;
  *report = (PredictionReport){.verdict = prediction.verdict, .threads = prediction.n_threads, .entities = prediction.n_objects};
  report->why = prediction.why ? arena_format(&result->arena, "%s", prediction.why) : NULL;
  if (prediction.verdict == VERDICT_HOLDS && options->max_threads)
    report->known = arena_format(&result->arena, "violations by more than %u threads were not looked for", options->max_threads);
  const bool good = prediction.verdict != VERDICT_VIOLATED || add_program_run(heap, &prediction, result, err);
  pushdown_prediction_fini(heap, &prediction);
  return good;
}

/* ---- with locks ---- */

/* The first cycle of the play, as the conflict graph has it. */
static bool find_cycle(Heap *heap, const Play *play, Arena *arena, MonitorFinding *finding, Err *err) {
  Monitor *monitor = monitor_new(heap, &(MonitorOptions){.engine = MONITOR_CG});
  uint32_t n;
  if (!monitor_feed(monitor, play->events.at, play->events.n)) monitor_finish(monitor);
  const MonitorFinding *found = monitor_findings(monitor, &n);
  if (n) {
    *finding = *found;
    finding->transactions = arena_zeroed(arena, found->n, sizeof *found->transactions);
    finding->edges = arena_zeroed(arena, found->n, sizeof *found->edges);
    memcpy(finding->transactions, found->transactions, found->n * sizeof *found->transactions);
    memcpy(finding->edges, found->edges, found->n * sizeof *found->edges);
  }
  monitor_free(monitor);
  return n || err_set(err, ERR_CHECK, "the conflict graph of the predicted run has no cycle");
}

static bool add_net_run(Heap *heap, const Net *net, const ConflictCycle *cycle, PredictingResult *result, Err *err) {
  Play play;
  MonitorFinding finding;
  play_net(&play, heap, net, cycle->run, cycle->n_run);
  if (find_cycle(heap, &play, &result->arena, &finding, err)) return predicting_add(heap, result, &play, &finding, err);
  play_fini(&play);
  return false;
}

/* All data abstracted, the program with its locks is a net whose runs can be explored. */
static bool program_with_locks(Heap *heap, const PredictingOptions *options, const InFile *file, PredictingResult *result, Err *err) {
  ProgramOptions program = *options->program;
  Serializability found;
  program.sml.abstract_data = true;
  Net *net = program_input_compile(heap, file, &program, err);
  if (!net) return false;
  bool good = serializability_check(heap, net, NULL, options->limits, &found, err);
  if (good) {
    result->report = (PredictionReport){.verdict = found.verdict, .locks = true, .threads = net->notes->n_threads, .entities = net->notes->n_objects};
    result->report.why = found.why[0] ? arena_format(&result->arena, "%s", found.why) : NULL;
    if (found.verdict == VERDICT_VIOLATED) good = add_net_run(heap, net, &found.cycle, result, err);
    serializability_fini(heap, &found);
  }
  net_free(net);
  return good;
}

bool predicting_program(Heap *heap, const PredictingOptions *options, PredictingResult *result, Err *err) {
  const double start = clock_seconds();
  InFile file;
  predicting_begin(result, heap);
  if (!file_read(heap, options->inputs[0].path, &file, err)) return false;
  file.name = options->inputs[0].name;
  const bool good = options->locks ? program_with_locks(heap, options, &file, result, err)
                                   : program_without_locks(heap, options, &file, result, err);
  file_release(heap, &file);
  result->report.program = true;
  predicting_end(result, start);
  return good;
}
