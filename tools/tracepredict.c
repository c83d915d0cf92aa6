/* tracepredict.c: predicts runs that are not serializable: other runs of the threads of a run, or runs of an SML
 * program. */
#include "ask/predicting_functions.h"
#include "ask/steps.h"
#include "base/file.h"
#include "report/of_predicted_functions.h"
#include "report/of_prediction.h"
#include "tools/many.h"
#include "tools/output.h"
#include "tools/work.h"

#include <string.h>

static const char *const syncs[] = {SYNC_NAMES NULL};
enum { SYNC_UNSAID = SYNC_NONE + 1 }; /* then it depends on the input */

static const char *const alls[] = {"groups", "transactions", "each", NULL};
enum { ALL_GROUPS, ALL_TRANSACTIONS, ALL_EACH, ALL_UNSAID }; /* ORDER alls */

static const char *const inputs[] = {"auto", TRACE_FORMAT_NAMES "sml", NULL};

enum { FROM_AUTO = 0, FROM_SML = 1 + TRACE_N_FORMATS };

typedef struct {
  WorkOptions work;
  InputOptions input;
  ChosenNames chosen;
  const char *suppress;
  OutputOptions output;
  ManyOptions many;
  uint32_t sync, from, all;
  uint64_t budget, threads;
  bool merge, likely, functions, refine, lenient;
} Arguments;

typedef struct {
  Tool *tool;
  const Arguments *arguments;
  const PredictingResult *result;
} Writing;

/* ---- the result ---- */

static const char *const OWN_FORMATS[] = {"trace", "steps"};

static bool is_trace(const Arguments *a) { return a->output.format == output_own_format(); }
static bool is_steps(const Arguments *a) { return a->output.format == output_own_format() + 1; }

static bool write_trace(void *argument, FILE *out, Err *err) {
  const Writing *writing = argument;
  const PredictionReport *report = &writing->result->report;
  if (!report->n_runs) return true;
  TraceWriter *writer = trace_writer_new(writing->tool->heap, out, TRACE_STD, report->runs[0].names);
  TraceEvent events[TRACE_BATCH];
  for (uint32_t i = 0, n; (n = play_events(report->first, i, events, TRACE_BATCH)) > 0; i += n)
    trace_write(writer, events, n);
  return trace_writer_end(writer, err);
}

static bool write_steps(void *argument, FILE *out, Err *err) {
  const Writing *writing = argument;
  Arena arena;
  (void)err;
  if (!writing->result->report.steps.head) return true;
  arena_init(&arena, writing->tool->heap);
  fputs(of_prediction_steps(&arena, &writing->result->report), out);
  arena_fini(&arena);
  return true;
}

/* With --format=trace and steps the verdict is nowhere on stdout. */
static bool tell_own(const Writing *writing, const Report *report, Err *err) {
  const Arguments *a = writing->arguments;
  Writing copy = *writing;
  if (!file_write(writing->tool->heap, a->output.output ? a->output.output : "-",
                  is_trace(a) ? write_trace : write_steps, &copy, err))
    return false;
  if (a->work.quiet) return true;
  if (report->why) fprintf(stderr, "tracepredict: %s\n", report->why);
  fprintf(stderr, "tracepredict: verdict: %s\n", report->verdict_name);
  return true;
}

static bool write_report(const Writing *writing, Err *err) {
  const Arguments *a = writing->arguments;
  const PredictingResult *result = writing->result;
  Report report;
  report_init(&report, writing->tool->heap, writing->tool->name, output_is_brief(&a->output));
  of_prediction(&report, &result->report, result->transactions, result->seconds, heap_peak(writing->tool->heap));
  const bool good =
      output_begin(writing->tool, &report, &a->output, &a->input, err) &&
      (is_trace(a) || is_steps(a) ? tell_own(writing, &report, err)
                                  : output_result(writing->tool, &report, &a->output, &a->input, a->work.quiet, err));
  report_fini(&report);
  return good;
}

/* ---- the input ---- */

/* A program has, near its beginning, what no run has: an assignment, threads side by side, or nothing to do. */
static bool looks_like_sml(const char *path) {
  char text[4097];
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  const size_t n = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[n] = '\0';
  return strlen(text) == n && (strstr(text, ":=") || strstr(text, "||") || strstr(text, "skip"));
}

/* .smlt is for those whose .sml is Standard ML. */
static bool is_named_like_sml(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot && dot != name && (strcmp(dot, ".sml") == 0 || strcmp(dot, ".smlt") == 0);
}

static bool is_program(const Arguments *a, const char *name, const char *path) {
  if (a->from != FROM_AUTO) return a->from == FROM_SML;
  return is_named_like_sml(name) || looks_like_sml(path);
}

/* A program with locks is another question: all its runs are explored, and no proc may call itself. */
static Sync sync_of(const Arguments *a, bool program) {
  if (a->sync != SYNC_UNSAID) return (Sync)a->sync;
  return program ? SYNC_NONE : SYNC_ALL;
}

static AlikeBy groups_of(const Arguments *a) {
  if (a->all == ALL_EACH) return ALIKE_EACH;
  return a->all == ALL_TRANSACTIONS ? ALIKE_TRANSACTIONS : ALIKE_SPLITS;
}

static bool asks_functions(const Arguments *a) { return a->functions || a->refine; }

static bool check_arguments(const Tool *tool, const Arguments *a, uint32_t n, bool program, Err *err) {
  static const char *const of_runs[] = {"lenient",    "merge",  "likely", "functions", "refine",
                                        "max-events", "atomic", "except", "suppress",  NULL},
                           *const of_programs[] = {"define", "granularity", "warn", NULL};
  static const char *const of_functions[] = {"all", "threads", NULL};
  const ToolMode modes[] = {{program && n == 1, "for a program", of_runs},
                            {!program, "for a run", of_programs},
                            {asks_functions(a), "with --functions and --refine", of_functions}};
  const ToolRule rules[] = {
      {a->threads == 1 || a->threads > UINT32_MAX, "--threads expects a number of at least 2, or 0 for any number"},
      {program && sync_has_locks(sync_of(a, program)) && a->threads,
       "--threads needs --sync=none or order for a program: else all its runs are explored"},
      {program && n > 1, "only runs can be merged"},
      {asks_functions(a) && is_trace(a), "--functions and --refine have no run to write with --format=trace"},
      {program && is_steps(a), "--format=steps needs a run"},
      {asks_functions(a) && is_steps(a), "--functions and --refine have no steps to write"},
      {n > 1 && is_steps(a), "--format=steps needs one run"},
      {program && a->all != ALL_UNSAID, "--all needs runs: for a program only one violation is reported"},
  };
  return tool_obeys(rules, sizeof rules / sizeof *rules, err) &&
         tool_has_use(tool, modes, sizeof modes / sizeof *modes, err);
}

/* ---- the work, where memory or time may be up ---- */

typedef struct {
  Tool *tool;
  const Arguments *arguments;
  const OptionList *operands;
  Suppressions suppressions;
  Spool *spools;
  uint32_t n_spools; /* that are open */
  PredictingResult result;
  PredictedFunctions functions; /* instead, if they are asked for */
  Progress progress;
  Err *err;
  bool program, good;
} Working;

static bool open_inputs(Working *w) {
  const char *const from_stdin[] = {"-"};
  const uint32_t n = w->operands->n ? w->operands->n : 1;
  const char *const *paths = w->operands->n ? w->operands->at : from_stdin;
  w->spools = heap_zeroed(w->tool->heap, n * sizeof *w->spools);
  for (; w->n_spools < n; w->n_spools++)
    if (!spool_open(&w->spools[w->n_spools], w->tool->heap, paths[w->n_spools], w->err)) return false;
  return true;
}

static bool predict_program(Working *w, const PredictingOptions *options) {
  Heap *heap = w->tool->heap;
  const AskLimits limits = work_limits(&w->arguments->work, &w->progress);
  ProgramOptions program;
  InFile file;
  if (!input_program(heap, &w->arguments->input, &program, w->err) ||
      !file_read(heap, w->spools[0].path, &file, w->err))
    return false;
  file.name = w->spools[0].name;
  const bool good = predicting_program(heap, &file, &program, options, &limits, &w->result, w->err);
  file_release(heap, &file);
  return good;
}

static bool predict_runs(Working *w, const PredictingOptions *options) {
  const AskLimits limits = work_limits(&w->arguments->work, &w->progress);
  const Arguments *a = w->arguments;
  const RunSource source = {.inputs = w->spools,
                            .n = w->n_spools,
                            .trace = {.format = (int)(a->from == FROM_SML ? 0 : a->from) - 1, .lenient = a->lenient},
                            .chosen = a->chosen,
                            .suppressions = a->suppress ? &w->suppressions : NULL};
  if (asks_functions(a)) return predicting_functions(w->tool->heap, &source, options, &limits, &w->functions, w->err);
  return predicting_runs(w->tool->heap, &source, options, &limits, &w->result, w->err) &&
         (!is_steps(a) || steps_make(w->tool->heap, &source, &w->result, w->err));
}

static void work_body(void *argument) {
  Working *w = argument;
  const Arguments *a = w->arguments;
  w->good = open_inputs(w);
  if (!w->good) return;
  w->program = is_program(a, w->spools[0].name, w->spools[0].path);
  w->good = check_arguments(w->tool, a, w->n_spools, w->program, w->err);
  if (!w->good) return;
  const PredictingOptions options = {.sync = sync_of(a, w->program),
                                     .all = a->all != ALL_UNSAID,
                                     .likely = a->likely,
                                     .by = groups_of(a),
                                     .budget = a->budget,
                                     .max_threads = (uint32_t)a->threads};
  w->good = w->program ? predict_program(w, &options) : predict_runs(w, &options);
}

static bool tell_functions(Working *w) {
  Tool *tool = w->tool;
  const Arguments *a = w->arguments;
  Report report;
  input_warn_run(tool->name, w->spools[0].name, &w->functions.input.remarks, &w->suppressions);
  report_init(&report, tool->heap, tool->name, output_is_brief(&a->output));
  of_predicted_functions(&report, &w->functions.report, a->refine, w->functions.seconds, heap_peak(tool->heap));
  const bool good = output_report(tool, &report, &a->output, &a->input, a->work.quiet, w->err);
  report_fini(&report);
  return good;
}

static bool tell(Working *w) {
  if (asks_functions(w->arguments) && w->n_spools && !w->program) return tell_functions(w);
  Tool *tool = w->tool;
  const Arguments *a = w->arguments;
  if (w->n_spools)
    input_warn_run(tool->name, w->n_spools > 1 ? "the runs" : w->spools[0].name, &w->result.remarks, &w->suppressions);
  const Writing writing = {tool, a, &w->result};
  return write_report(&writing, w->err);
}

static void run(Tool *tool, const Arguments *a, const OptionList *operands) {
  Err err;
  char why[100];
  Working w = {.tool = tool, .arguments = a, .operands = operands, .err = &err};
  if (!input_suppressions(tool->heap, a->suppress, &w.suppressions, &err)) {
    output_error(tool, OF_PREDICTION_SCHEMA, &a->output, &a->input, &err);
    return;
  }
  work_progress_init(&w.progress, &a->work);
  const StopReason left = work_within_limits(tool, &a->work, work_body, &w);
  work_progress_clear(&w.progress);
  if (left != STOP_NOT) {
    heap_explain(tool->heap, left, why, sizeof why);
    w.result = (PredictingResult){.heap = tool->heap};
    w.functions = (PredictedFunctions){.report = {.verdict = VERDICT_UNKNOWN, .why = why, .sync = sync_of(a, false)}};
    w.result.report =
        (PredictionReport){.verdict = VERDICT_UNKNOWN, .why = why, .sync = sync_of(a, w.program), .program = w.program};
    w.good = true;
  }
  if (!w.good || !tell(&w)) output_error(tool, OF_PREDICTION_SCHEMA, &a->output, &a->input, &err);
  if (left == STOP_NOT && w.good && asks_functions(a)) predicting_functions_fini(&w.functions);
  else if (left == STOP_NOT && w.good) predicting_fini(&w.result);
  for (uint32_t i = 0; i < w.n_spools; i++) spool_close(&w.spools[i], tool->heap);
  heap_release(tool->heap, w.spools);
  suppressions_fini(tool->heap, &w.suppressions);
}

/* ---- the command line ---- */

static bool paths_are_good(Tool *tool, const Arguments *a, const OptionList *operands, Err *err) {
  PathUse *uses = heap_zeroed(tool->heap, heap_product(tool->heap, (uint64_t)operands->n + 1, sizeof *uses));
  for (uint32_t i = 0; i < operands->n; i++) uses[i].path = operands->at[i];
  uses[operands->n].path = a->suppress;
  return output_differs(tool->heap, &a->output, operands->n ? NULL : "-", uses, operands->n + 1, err);
}

/* One run or program, or, with --merge, all runs. */
static void predict(Tool *tool, const Arguments *given, const OptionList *operands) {
  Arguments a = *given;
  Inputs texts;
  Err err;
  if (!paths_are_good(tool, &a, operands, &err)) {
    tool_complain(tool, &err);
    return;
  }
  inputs_init(&texts, tool->heap);
  if (output_says_inputs(&a.output)) a.input.inputs = &texts;
  run(tool, &a, operands);
  inputs_fini(&texts);
}

static void predict_one(Tool *tool, const void *arguments, const char *path) {
  const OptionList one = {&path, 1};
  predict(tool, arguments, &one);
}

static void body(Tool *tool) {
  Arguments arguments = {.work = work_defaults(), .budget = PREDICTING_BUDGET, .sync = SYNC_UNSAID, .all = ALL_UNSAID},
            *a = &arguments;
  const Option options[] = {
      {"sync", 's', OPTIONS_QUESTION, OPTION_CHOICE, &a->sync, NULL, syncs,
       "what other runs respect besides fork and join: locks and hand-overs (default for a run), only one of them, or neither (default for a program)"},
      {"all", 'a', OPTIONS_QUESTION, OPTION_MODE, &a->all, NULL, alls,
       "report all violations, the likeliest first: one for each way in which a transaction is split (default), one for each transaction, or each source-level one"},
      {"likely", 0, OPTIONS_QUESTION, OPTION_FLAG, &a->likely, NULL, NULL,
       "leave out violations in whose run a thread reads what nobody has written yet, and say how many there are"},
      {"functions", 0, OPTIONS_QUESTION, OPTION_FLAG, &a->functions, NULL, NULL,
       "ask about each function by itself, nested calls as well, and print a table"},
      {"refine", 0, OPTIONS_QUESTION, OPTION_FLAG, &a->refine, NULL, NULL,
       "print the functions that no other run splits"},
      {"merge", 'm', OPTIONS_INPUT, OPTION_FLAG, &a->merge, NULL, NULL,
       "take several runs of one program: each thread may behave as in any of them; threads and variables are matched by name"},
      {"threads", 't', OPTIONS_QUESTION, OPTION_COUNT, &a->threads, "K", NULL,
       "search only for violations by up to K threads (default: by any number)"},
      {"budget", 'b', OPTIONS_LIMITS, OPTION_COUNT, &a->budget, "STEPS", NULL,
       "give up a search after that many steps (0: never; default 50000000)"},
      INPUT_CHOSEN(&a->chosen),
      INPUT_SUPPRESS(&a->suppress),
      {"from", 0, OPTIONS_INPUT, OPTION_CHOICE, &a->from, NULL, inputs,
       "format of the input (default: detected from the content)"},
      {"lenient", 0, OPTIONS_INPUT, OPTION_FLAG, &a->lenient, NULL, NULL, "skip malformed lines, and count them"},
      {"format", 'f', OPTIONS_OUTPUT, OPTION_CHOICE, &a->output.format, NULL, output_formats(tool->heap, OWN_FORMATS),
       "format of the result (default text); trace: the predicted run, as STD text; steps: what `tracerec run --follow` takes"},
      MANY_OPTIONS(&a->many),
      MANY_JOBS(&a->many, 'j'),
      OUTPUT_FILE_OPTIONS(&a->output),
      INPUT_SML_OPTIONS(&a->input),
      INPUT_MESSAGES(&a->input),
      WORK_OPTIONS(&a->work),
      WORK_ALLOW_EMPTY(&a->work),
      OUTPUT_STATS(&a->output),
      OUTPUT_VERBOSE(&a->output),
      {"quiet", 'q', OPTIONS_OUTPUT, OPTION_FLAG, &a->work.quiet, NULL, NULL, "print only the verdict"},
  };
  const Command command = {
      "tracepredict",
      "[FILE|DIRECTORY|-]...",
      "Predicts runs that are not serializable. From a recorded run: could the same threads, in another order, produce a "
      "run that is not serializable? From an SML program, which may be recursive: does it have such a run, with all data "
      "abstracted?",
      "Exit codes: 0 there is no such run, 1 one is predicted, 2 unknown (a limit, Ctrl-C), 3 a usage or input error,\n"
      "4 a self-check failed.\n"
      "Example: tracerec run ./prog | tracepredict\n",
      options,
      sizeof options / sizeof *options,
      0,
      UINT32_MAX};
  OptionList operands;
  const Many many = {&a->many, &a->output, &a->work, &a->input, predict_one, a, OF_PREDICTION_SCHEMA, false};
  if (!tool_options(tool, &command, &operands)) return;
  a->input.unmarked = a->work.allow_empty ? SML_UNMARKED_PASSES : SML_UNMARKED_FAILS;
  if (a->merge && operands.n > 1) predict(tool, a, &operands);
  else many_run(tool, &many, &operands);
}

int main(int argc, char **argv) { return tool_main("tracepredict", argc, argv, body, EXIT_UNKNOWN); }
