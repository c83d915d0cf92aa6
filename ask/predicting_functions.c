#include "ask/predicting_functions.h"

#include "ask/predicting_inside.h"
#include "ask/split_calls.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* What is passed around. */
typedef struct {
  const RunSource *source;
  const PredictingOptions *options;
  const AskLimits *limits;
  PredictedFunctions *result;
  U32Vec of_label; /* by label + 1: the number of the function + 1; 0: none */
  SplitCalls calls;
  PredictedFunction *function; /* that is asked about */
  uint64_t budget;             /* for it */
  Err *err;
  bool good;
} Asking;

/* ---- the functions ---- */

static void add_call(Asking *a, uint32_t label) {
  PredictedFunctions *result = a->result;
  const uint32_t place = label == TRACE_NONE ? 0 : label + 1;
  if (place >= a->of_label.n) vec_resize_zeroed(result->heap, &a->of_label, place + 1);
  uint32_t *number = &a->of_label.at[place];
  if (!*number) {
    vec_push(result->heap, &result->functions, ((PredictedFunction){.label = label}));
    *number = result->functions.n;
  }
  result->functions.at[*number - 1].calls++;
}

static bool take_calls(void *argument, uint32_t run, const TraceEvent *events, uint32_t n) {
  Asking *a = argument;
  (void)run;
  for (uint32_t i = 0; i < n; i++)
    if (events[i].op == TRACE_BEGIN) add_call(a, events[i].object);
  split_calls_survey(&a->calls, events, n);
  return true;
}

static bool count_events(void *argument, uint32_t run, const TraceEvent *events, uint32_t n) {
  Asking *a = argument;
  (void)run;
  split_calls_count(&a->calls, events, n);
  return true;
}

static const char *name_of(const PredictedFunctions *result, uint32_t label) {
  return label == TRACE_NONE ? "" : trace_name(run_input_names(&result->input), TRACE_LABEL_NAME, label);
}

static void drop_unchosen(Asking *a) {
  PredictedFunctions *result = a->result;
  uint32_t n = 0;
  for (uint32_t i = 0; i < result->functions.n; i++)
    if (chosen_counts(&a->source->chosen, name_of(result, result->functions.at[i].label)))
      result->functions.at[n++] = result->functions.at[i];
  result->functions.n = n;
}

/* Are names that the run does not have asked for, and is there anything else? */
static bool expect_functions(Asking *a) {
  RunInput *input = &a->result->input;
  const Chosen chosen = {.heap = a->result->heap, .names = a->source->chosen};
  char *missing = input->remarks.missing;
  if (chosen_is_some(&chosen)) chosen_missing(&chosen, run_input_names(input), missing);
  if (a->result->functions.n || a->limits->allow_empty) return true;
  return err_set(a->err, ERR_INPUT, "%s: no function is chosen, so there is nothing to check%s%s%s",
                 a->source->inputs[0].name, remedy_words(a->limits->remedies, REMEDY_NONE_CHOSEN), *missing ? ": " : "",
                 missing);
}

static bool read_calls(Asking *a) {
  PredictedFunctions *result = a->result;
  RunSource all = *a->source;
  all.chosen = (ChosenNames){0};
  all.runs = true;
  run_input_init(&result->input, result->heap, &all, a->limits);
  if (!run_input_read(&result->input, take_calls, a, a->err)) return false;
  drop_unchosen(a);
  if (result->input.why[0]) return true;
  if (!expect_functions(a)) return false;
  const RunRemarks remarks = result->input.remarks; /* of what is left out nothing is counted twice */
  if (!run_input_reread(&result->input, count_events, a, a->err)) return false;
  result->input.remarks = remarks;
  return true;
}

/* ---- one after another ---- */

enum { LEAST_BUDGET = 1000 * 1000 }; /* of one function, if the whole is not less */

/* When a function's turn comes: those of which there is least to ask first. */
typedef struct {
  uint64_t most;
  uint32_t function;
} Turn;

static int by_most(const void *a, const void *b) {
  const Turn *x = a, *y = b;
  if (x->most != y->most) return x->most < y->most ? -1 : 1;
  return (x->function > y->function) - (x->function < y->function);
}

static Turn *take_turns(Asking *a) {
  PredictedFunctions *result = a->result;
  const uint32_t n = result->functions.n;
  Turn *turns = arena_zeroed(&result->arena, n + 1, sizeof *turns);
  uint32_t to_search = 0;
  for (uint32_t i = 0; i < n; i++) {
    turns[i] = (Turn){split_calls_most(&a->calls, result->functions.at[i].label), i};
    to_search += turns[i].most > 1;
  }
  qsort(turns, n, sizeof *turns, by_most);
  a->budget = a->options->budget;
  if (to_search > 1 && a->budget / to_search >= LEAST_BUDGET) a->budget /= to_search;
  else if (to_search > 1 && a->budget > LEAST_BUDGET) a->budget = LEAST_BUDGET;
  return turns;
}

static void search(void *argument) {
  Asking *a = argument;
  RunSource source = *a->source;
  PredictingOptions options = *a->options;
  source.chosen.only = name_of(a->result, a->function->label);
  options.calls = true;
  options.budget = a->budget;
  a->good = predicting_runs(a->result->heap, &source, &options, a->limits, &a->function->result, a->err);
}

/* STOP_NOT: the function was asked about, or *err says why not. */
static StopReason ask_one(Asking *a, const Turn *turn) {
  Heap *heap = a->result->heap;
  const StopReason asked = heap_asked(heap);
  a->function = &a->result->functions.at[turn->function];
  if (asked != STOP_NOT) return asked;
  if (turn->most < 2) {
    predicting_begin(&a->function->result, heap);
    a->function->result.report.verdict = VERDICT_HOLDS;
  } else if (!heap_try(heap, search, a)) {
    return heap_why(heap);
  }
  a->function->asked = a->good;
  return STOP_NOT;
}

static bool ask_all(Asking *a) {
  PredictedFunctions *result = a->result;
  const Turn *turns = take_turns(a);
  char limit[100];
  a->good = true;
  for (uint32_t i = 0; i < result->functions.n; i++) {
    const StopReason why = ask_one(a, &turns[i]);
    if (!a->good) return false;
    if (why == STOP_NOT) continue;
    heap_explain(result->heap, why, limit, sizeof limit);
    result->report.why =
        arena_format(&result->arena, "only %u of %u functions were asked about: %s", i, result->functions.n, limit);
    return true;
  }
  return true;
}

/* ---- the report ---- */

bool predicting_function_counts(const PredictedFunction *function) {
  const PredictionReport *report = &function->result.report;
  return function->asked && report->n_runs && report->runs[0].where != PREDICTED_THREADS;
}

/* The later, the higher it stands. */
static uint32_t rank_of(const PredictedFunction *function) {
  const PredictionReport *report = &function->result.report;
  if (!function->asked || report->verdict == VERDICT_UNKNOWN) return 0;
  return report->n_runs ? 2 + (uint32_t)report->runs[0].where : 1;
}

static const PredictedFunction *const *sort_rows(PredictedFunctions *result) {
  const uint32_t n = result->functions.n;
  const PredictedFunction **rows = arena_zeroed(&result->arena, n + 1, sizeof *rows);
  uint32_t done = 0;
  for (uint32_t rank = 2 + PREDICTED_HERE + 1; rank-- > 0;)
    for (uint32_t i = 0; i < n; i++)
      if (rank_of(&result->functions.at[i]) == rank) rows[done++] = &result->functions.at[i];
  return rows;
}

static Verdict verdict_of(const PredictedFunctions *result) {
  bool unknown = result->report.why != NULL;
  for (uint32_t i = 0; i < result->functions.n; i++) {
    if (predicting_function_counts(&result->functions.at[i])) return VERDICT_VIOLATED;
    unknown |= rank_of(&result->functions.at[i]) == 0;
  }
  return unknown ? VERDICT_UNKNOWN : VERDICT_HOLDS;
}

static void fill_report(const Asking *a) {
  PredictedFunctions *result = a->result;
  PredictedFunctionsReport *report = &result->report;
  report->names = run_input_names(&result->input);
  if (!report->why || result->input.why[0]) report->why = run_input_gap(&result->input);
  report->verdict = verdict_of(result);
  report->sync = a->options->sync;
  report->rows = sort_rows(result);
  report->n_rows = result->functions.n;
  report->events = result->input.n_events;
  report->threads = trace_name_count(report->names, TRACE_THREAD_NAME);
  report->entities = trace_name_count(report->names, TRACE_OBJECT_NAME);
  report->suppressed = run_input_left_out(&result->input);
}

bool predicting_functions(Heap *heap, const RunSource *source, const PredictingOptions *options,
                          const AskLimits *limits, PredictedFunctions *result, Err *err) {
  const double start = clock_seconds();
  *result = (PredictedFunctions){.heap = heap};
  Asking a = {.source = source, .options = options, .limits = limits, .result = result, .err = err};
  arena_init(&result->arena, heap);
  split_calls_init(&a.calls, heap);
  const bool good = read_calls(&a) && (result->input.why[0] || ask_all(&a));
  if (good) fill_report(&a);
  vec_fini(heap, &a.of_label);
  split_calls_fini(&a.calls);
  result->seconds = clock_seconds() - start;
  if (!good) predicting_functions_fini(result);
  return good;
}

void predicting_functions_fini(PredictedFunctions *result) {
  for (uint32_t i = 0; i < result->functions.n; i++)
    if (result->functions.at[i].asked) predicting_fini(&result->functions.at[i].result);
  vec_fini(result->heap, &result->functions);
  run_input_fini(&result->input);
  arena_fini(&result->arena);
}
