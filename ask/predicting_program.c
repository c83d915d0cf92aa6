#include "ask/predicting_inside.h"

#include "base/clock.h"
#include "predict/pushdown/play_program.h"
#include "ask/serializability.h"

#include <string.h>

/* What is passed around. */
typedef struct {
  Heap *heap;
  const InFile *file;
  const ProgramOptions *program;
  const PredictingOptions *options;
  const AskLimits *limits;
  PredictingResult *result;
  Err *err;
} Predicting;

/* ---- without locks ---- */

/* After an error in the text, which the diag has, *err is ERR_INPUT without a text. */
static bool predict_text(const Predicting *p, Diag *diag, PushdownPrediction *prediction) {
  const PredictOptions limits = {false, p->options->budget, p->options->max_threads, p->options->sync};
  SmlOptions sml = p->program->sml;
  Program program;
  sml.recursion = true;
  p->err->kind = ERR_INPUT;
  p->err->text[0] = '\0';
  if (!sml_program(p->heap, &sml, diag, &program)) return false;
  const bool good = pushdown_predict(p->heap, &program, sml.granularity, &limits, prediction, p->err);
  program_fini(&program);
  return good;
}

static bool predict_program(const Predicting *p, PushdownPrediction *prediction) {
  Diag diag;
  bool good = program_input_begin(p->heap, p->file, p->program, &diag, p->err);
  if (good) {
    good = predict_text(p, &diag, prediction);
    program_input_say(p->program, &diag);
  }
  diag_fini(&diag);
  return good;
}

static bool add_program_run(const Predicting *p, const PushdownPrediction *prediction) {
  Arena *arena = &p->result->arena;
  Play play;
  Cycle cycle = {0, arena_zeroed(arena, prediction->visits.n + 1, sizeof(CycleVisit))};
  play_program(&play, p->heap, prediction, &cycle);
  const MonitorFinding finding = play_finding(&play, arena, &cycle);
  return predicting_add(p->heap, p->result, &play, &(PredictingTold){0}, &finding, p->err);
}

static bool program_without_locks(const Predicting *p) {
  PushdownPrediction prediction;
  if (!predict_program(p, &prediction)) return false;
  Arena *arena = &p->result->arena;
  PredictionReport *report = &p->result->report;
  *report = (PredictionReport){
      .verdict = prediction.verdict, .threads = prediction.n_threads, .entities = prediction.n_objects};
  report->why = prediction.why ? arena_format(arena, "%s", prediction.why) : NULL;
  if (prediction.verdict == VERDICT_HOLDS && p->options->max_threads)
    report->known =
        arena_format(arena, "violations by more than %u threads were not searched for", p->options->max_threads);
  const bool good = prediction.verdict != VERDICT_VIOLATED || add_program_run(p, &prediction);
  pushdown_prediction_fini(p->heap, &prediction);
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
  if (find_cycle(heap, &play, &result->arena, &finding, err))
    return predicting_add(heap, result, &play, &(PredictingTold){0}, &finding, err);
  play_fini(&play);
  return false;
}

/* All data abstracted, the program with its locks, and what else threads wait for, is a net whose runs can be explored.
 */
static bool program_with_locks(const Predicting *p) {
  Heap *heap = p->heap;
  PredictingResult *result = p->result;
  ProgramOptions program = *p->program;
  Serializability found;
  program.sml.abstract_data = true;
  program.sml.keep_sync = true;
  Net *net = program_input_compile(heap, p->file, &program, p->err);
  if (!net) return false;
  bool good = serializability_check(heap, net, NULL, p->limits, &found, p->err);
  if (good) {
    result->report = (PredictionReport){
        .verdict = found.verdict, .threads = net->notes->n_threads, .entities = net->notes->n_objects};
    result->report.why = found.why[0] ? arena_format(&result->arena, "%s", found.why) : NULL;
    if (found.verdict == VERDICT_VIOLATED) good = add_net_run(heap, net, &found.cycle, result, p->err);
    serializability_fini(heap, &found);
  }
  net_free(net);
  return good;
}

bool predicting_program(Heap *heap, const InFile *file, const ProgramOptions *program, const PredictingOptions *options,
                        const AskLimits *limits, PredictingResult *result, Err *err) {
  const double start = clock_seconds();
  const Predicting p = {heap, file, program, options, limits, result, err};
  predicting_begin(result, heap);
  const bool good = sync_has_locks(options->sync) ? program_with_locks(&p) : program_without_locks(&p);
  result->report.program = true;
  result->report.sync = options->sync;
  predicting_end(result, start);
  return good;
}
