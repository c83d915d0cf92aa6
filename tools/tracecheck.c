/* tracecheck.c: monitors the run of a program, or writes it in another format. */
#include "ask/analysing.h"
#include "ask/comparing.h"
#include "ask/converting.h"
#include "ask/functions.h"
#include "ask/monitoring.h"
#include "base/file.h"
#include "report/of_analysis.h"
#include "report/of_comparison.h"
#include "report/of_functions.h"
#include "report/of_run.h"
#include "tools/many.h"
#include "tools/output.h"
#include "tools/tool.h"
#include "tools/work.h"

#include <string.h>

static const char *const engines[] = {"scg", "cg", "vc", NULL}, *const lock_modes[] = {"ignore", "conflict", NULL};
static const char *const notions[] = {"serializable", "causal", NULL};
static const char *const analyses[] = {"monitor", "reduction", "blocks", "combined", NULL}, *const race_tests[] = {
                                                                                                "pairs", "common",
                                                                                                NULL};
static const char *const inputs[] = {"auto", TRACE_FORMAT_NAMES NULL}, *const outputs[] = {"none",
                                                                                           TRACE_FORMAT_NAMES NULL};

static const char *const syncs[] = {SYNC_NAMES NULL};

typedef struct {
  WorkOptions work;
  InputOptions input; /* for the colour alone */
  OutputOptions output;
  ManyOptions many;
  ChosenNames chosen;
  const char *suppress;
  uint32_t engine, locks, notion, analysis, races, sync;
  uint32_t from, convert; /* a TraceFormat + 1; or 0 */
  CheckpointOptions checkpoint;
  bool all, lenient, compare, plain, functions, refine;
} Arguments;

typedef struct {
  Tool *tool;
  const Arguments *arguments;
  const RunSource *source;
  const Suppressions *suppressions;
} Writing;

/* ---- from one format to another ---- */

static bool write_converted(void *argument, FILE *out, Err *err) {
  const Writing *writing = argument;
  RunRemarks remarks;
  if (!converting_run(writing->tool->heap, writing->source, (TraceFormat)(writing->arguments->convert - 1),
                      writing->arguments->plain, out, &remarks, err))
    return false;
  input_warn_run(writing->tool->name, writing->source->inputs->name, &remarks, writing->suppressions);
  return true;
}

/* ---- the report ---- */

static bool write_report(Tool *tool, const Arguments *a, Report *report, Err *err) {
  const bool good = output_report(tool, report, &a->output, &a->input, a->work.quiet, err);
  report_fini(report);
  return good;
}

typedef struct {
  const Writing *writing;
  Err *err;
  bool good;
} Converting;

static void convert_body(void *argument) {
  Converting *converting = argument;
  const Writing *writing = converting->writing;
  const char *output = writing->arguments->output.output;
  converting->good = file_write(writing->tool->heap, output ? output : "-", write_converted, (void *)(uintptr_t)writing,
                                converting->err);
}

static bool convert_run(Writing *writing, Err *err) {
  Converting converting = {writing, err, true};
  const StopReason left = work_within_limits(writing->tool, &writing->arguments->work, convert_body, &converting);
  if (left != STOP_NOT) work_give_up(writing->tool, left);
  return converting.good;
}

typedef struct {
  Heap *heap;
  const RunSource *source;
  MonitorOptions options;
  AskLimits limits;
  Checkpoint *checkpoint; /* or NULL */
  MonitoringResult result;
  Err *err;
  bool good;
} Checking;

static void check_body(void *argument) {
  Checking *checking = argument;
  checking->good = monitoring_go_on(checking->heap, checking->source, &checking->options, &checking->limits,
                                    checking->checkpoint, &checking->result, checking->err);
}

/* `goes_on`: it is to be used again. */
static void tell_checkpoint(const Writing *writing, const Checkpoint *checkpoint, bool goes_on) {
  const char *tool = writing->tool->name, *run = writing->source->inputs->name, *path = checkpoint->options.path;
  const unsigned long long known = checkpoint->n_known, kept = checkpoint->n_kept;
  const bool quiet = writing->arguments->work.quiet;
  if (known && !quiet) fprintf(stderr, "%s: %s: went on from %s, after %llu events\n", tool, run, path, known);
  if (checkpoint->why[0]) fprintf(stderr, "%s: warning: %s was not written: %s\n", tool, path, checkpoint->why);
  if (kept && goes_on && !quiet)
    fprintf(stderr, "%s: %s: the same command goes on from %s, after %llu events\n", tool, run, path, kept);
}

static bool monitor_run(Writing *writing, Err *err) {
  const Arguments *a = writing->arguments;
  Heap *heap = writing->tool->heap;
  Progress progress;
  const MonitorOptions options = {(MonitorEngine)a->engine, (MonitorNotion)a->notion, a->locks == 1, a->all};
  Checking checking = {.heap = heap,
                       .source = writing->source,
                       .options = options,
                       .limits = work_limits(&a->work, &progress),
                       .err = err};
  Checkpoint checkpoint;
  char why[100];
  checkpoint_init(&checkpoint, heap, &a->checkpoint, checking.source, &checking.options);
  if (a->checkpoint.path) checking.checkpoint = &checkpoint;
  work_progress_init(&progress, &a->work);
  const StopReason left = work_within_limits(writing->tool, &a->work, check_body, &checking);
  work_progress_clear(&progress);
  if (left != STOP_NOT) {
    heap_explain(heap, left, why, sizeof why);
    monitoring_give_up(&options, &checking.result, why);
    checking.good = true;
  }
  const bool settled = checking.good && left == STOP_NOT && checking.result.settled;
  if (checking.checkpoint) tell_checkpoint(writing, &checkpoint, !settled);
  if (checking.good) {
    const MonitoringResult *result = &checking.result;
    Report report;
    input_warn_run(writing->tool->name, writing->source->inputs->name, &result->input.remarks, writing->suppressions);
    report_init(&report, heap, writing->tool->name, output_is_brief(&a->output));
    of_run(&report, &result->report, result->size, result->seconds, heap_peak(heap));
    checking.good = write_report(writing->tool, a, &report, err);
    if (checking.good && settled && checking.checkpoint) checkpoint_remove(&checkpoint);
  }
  if (left == STOP_NOT) monitoring_fini(&checking.result);
  if (left == STOP_NOT) checkpoint_fini(&checkpoint);
  return checking.good;
}

/* ---- other analyses ---- */

/* A body for heap_try, and what it needs. */
typedef struct {
  Heap *heap;
  const Arguments *arguments;
  const RunSource *source;
  AnalysingResult result;
  Progress progress;
  Err *err;
  bool good;
} Analysing;

static void analyse_body(void *argument) {
  Analysing *a = argument;
  const AnalysisOptions options = {(AnalysisKind)(a->arguments->analysis - 1), (RaceTest)a->arguments->races, 0,
                                   (Sync)a->arguments->sync};
  const AskLimits limits = work_limits(&a->arguments->work, &a->progress);
  a->good = analysing_run(a->heap, a->source, &options, &limits, &a->result, a->err);
}

static bool analyse_run(const Writing *writing, Err *err) {
  Tool *tool = writing->tool;
  const Arguments *arguments = writing->arguments;
  const RunSource *source = writing->source;
  Analysing a = {.heap = tool->heap, .arguments = arguments, .source = source, .err = err};
  char why[100];
  work_progress_init(&a.progress, &arguments->work);
  const StopReason left = work_within_limits(tool, &arguments->work, analyse_body, &a);
  work_progress_clear(&a.progress);
  if (left != STOP_NOT) {
    heap_explain(tool->heap, left, why, sizeof why);
    a.result.report =
        (AnalysisReport){.kind = (AnalysisKind)(arguments->analysis - 1), .sync = (Sync)arguments->sync, .why = why};
    a.good = true;
  }
  if (!a.good) return false;
  input_warn_run(tool->name, source->inputs->name, &a.result.input.remarks, writing->suppressions);
  Report report;
  report_init(&report, tool->heap, tool->name, output_is_brief(&arguments->output));
  of_analysis(&report, &a.result.report, a.result.seconds, heap_peak(tool->heap));
  const bool written = write_report(tool, arguments, &report, err);
  if (left == STOP_NOT) analysing_fini(&a.result);
  return written;
}

typedef struct {
  const Writing *writing;
  Spool spool; /* each analysis reads the run by itself */
  ComparingResult result;
  Progress progress;
  Err *err;
  bool good, compared;
} Compare;

static void compare_body(void *argument) {
  Compare *compare = argument;
  const Writing *writing = compare->writing;
  Heap *heap = writing->tool->heap;
  RunSource source = *writing->source;
  source.inputs = &compare->spool;
  compare->good = spool_open(&compare->spool, heap, writing->source->inputs->path, compare->err);
  if (!compare->good) return;
  const AskLimits limits = work_limits(&writing->arguments->work, &compare->progress);
  compare->good = comparing_run(heap, &source, &limits, &compare->result, compare->err);
  compare->compared = compare->good;
}

static bool compare_run(Writing *writing, Err *err) {
  Tool *tool = writing->tool;
  Compare compare = {.writing = writing, .spool = {.file = -1}, .err = err};
  work_progress_init(&compare.progress, &writing->arguments->work);
  const StopReason left = work_within_limits(tool, &writing->arguments->work, compare_body, &compare);
  work_progress_clear(&compare.progress);
  if (left != STOP_NOT) return work_give_up(tool, left), true;
  if (compare.good) {
    Report report;
    report_init(&report, tool->heap, tool->name, output_is_brief(&writing->arguments->output));
    of_comparison(&report, &compare.result.comparison);
    compare.good = write_report(tool, writing->arguments, &report, err);
  }
  if (compare.compared) comparing_fini(tool->heap, &compare.result);
  spool_close(&compare.spool, tool->heap);
  return compare.good;
}

/* ---- functions ---- */

typedef struct {
  const Writing *writing;
  Spool spool; /* the run is read again */
  FunctionsResult result;
  Progress progress;
  Err *err;
  bool good, asked;
} Functions;

static void functions_body(void *argument) {
  Functions *f = argument;
  const Writing *writing = f->writing;
  const AskLimits limits = work_limits(&writing->arguments->work, &f->progress);
  RunSource source = *writing->source;
  source.inputs = &f->spool;
  f->good = spool_open(&f->spool, writing->tool->heap, writing->source->inputs->path, f->err) &&
            functions_run(writing->tool->heap, &source, writing->arguments->locks == 1, &limits, &f->result, f->err);
  f->asked = f->good;
}

/* What a limit has left is nothing to be told of. */
static bool ask_functions(Writing *writing, Err *err) {
  Tool *tool = writing->tool;
  const Arguments *a = writing->arguments;
  Functions f = {.writing = writing, .spool = {.file = -1}, .err = err, .good = true};
  Report report;
  char why[100];
  work_progress_init(&f.progress, &a->work);
  const StopReason left = work_within_limits(tool, &a->work, functions_body, &f);
  work_progress_clear(&f.progress);
  if (left != STOP_NOT) {
    heap_explain(tool->heap, left, why, sizeof why);
    f.result.report = (FunctionsReport){.verdict = VERDICT_UNKNOWN, .why = why};
    f.good = true;
  }
  if (f.good) {
    if (f.asked)
      input_warn_run(tool->name, writing->source->inputs->name, &f.result.input.remarks, writing->suppressions);
    report_init(&report, tool->heap, tool->name, output_is_brief(&a->output));
    of_functions(&report, &f.result.report, a->refine, f.result.seconds, heap_peak(tool->heap));
    f.good = write_report(tool, a, &report, err);
  }
  if (f.asked) functions_fini(&f.result);
  if (left == STOP_NOT) spool_close(&f.spool, tool->heap);
  return f.good;
}

/* ---- the command line ---- */

static bool check_arguments(const Tool *tool, const Arguments *a, Err *err) {
  static const char *const of_monitor[] = {"engine", "locks", "notion", "all", "convert", NULL},
                           *const of_one[] = {"analysis", NULL},
                           *const of_any[] = {"atomic", "except",      "suppress", "engine",  "locks",      "notion",
                                              "all",    "dot",         "svg",      "format",  "max-events", "progress",
                                              "color",  "allow-empty", "stats",    "verbose", "quiet",      NULL};
  static const char *const of_functions_too[] = {"engine",  "notion", "all",    "analysis", "compare",
                                                 "convert", "atomic", "except", NULL};
  static const char *const of_long_runs[] = {"suppress", NULL}, *const of_checkpoints[] = {"checkpoint-every", NULL},
                           *const checkpoints[] = {"checkpoint", NULL};
  const bool monitors = !a->functions && !a->refine && !a->compare && !a->analysis && !a->convert;
  const ToolMode modes[] = {{!monitors, "but to monitor a run", checkpoints},
                            {a->engine != MONITOR_SCG, "with another engine than scg", checkpoints},
                            {a->checkpoint.path, "with --checkpoint", of_long_runs},
                            {!a->checkpoint.path, "without --checkpoint", of_checkpoints},
                            {a->functions || a->refine, "with --functions and --refine", of_functions_too},
                            {a->compare, "with --compare, which runs every analysis", of_one},
                            {a->compare, "with --compare", of_monitor},
                            {a->analysis, "with --analysis", of_monitor},
                            {a->convert, "with --convert, which only writes the run", of_any}};
  const bool by_reduction = a->analysis == 1 || a->analysis == 3;
  const ToolRule rules[] = {
      {a->engine == MONITOR_CG && a->notion == MONITOR_CAUSAL,
       "--engine=cg supports only --notion=serializable; use scg or vc"},
      {a->plain && !a->convert, "--plain needs --convert"},
      {a->checkpoint.path && strcmp(a->checkpoint.path, "-") == 0, "--checkpoint needs the name of a file"},
      {a->sync && !a->analysis, "--sync needs --analysis=reduction, blocks or combined"},
      {a->races && !by_reduction, "--races needs --analysis=reduction or combined"},
  };
  return tool_has_use(tool, modes, sizeof modes / sizeof *modes, err) &&
         tool_obeys(rules, sizeof rules / sizeof *rules, err);
}

static void run(Tool *tool, const void *argument, const char *path) {
  const Arguments *arguments = argument;
  Err err;
  const Spool input = spool_plain(path);
  Suppressions suppressions;
  const PathUse more[] = {{NULL, arguments->suppress},
                          {"--checkpoint", arguments->checkpoint.path},
                          {"--checkpoint", arguments->checkpoint.unfinished}};
  const RunSource source = {.inputs = &input,
                            .n = 1,
                            .trace = {.format = (int)arguments->from - 1, .lenient = arguments->lenient},
                            .chosen = arguments->chosen,
                            .suppressions = arguments->suppress ? &suppressions : NULL};
  Writing writing = {.tool = tool, .arguments = arguments, .source = &source, .suppressions = &suppressions};
  if (!output_differs(tool->heap, &arguments->output, path, more, sizeof more / sizeof *more, &err)) {
    tool_complain(tool, &err);
    return;
  }
  bool good = input_suppressions(tool->heap, arguments->suppress, &suppressions, &err);
  if (!good) suppressions = (Suppressions){0};
  else if (arguments->convert) good = convert_run(&writing, &err);
  else if (arguments->functions || arguments->refine) good = ask_functions(&writing, &err);
  else if (arguments->compare) good = compare_run(&writing, &err);
  else if (arguments->analysis) good = analyse_run(&writing, &err);
  else good = monitor_run(&writing, &err);
  suppressions_fini(tool->heap, &suppressions);
  if (!good) output_error(tool, OF_RUN_SCHEMA, &arguments->output, &arguments->input, &err);
}

/* What --help says first. */
enum { SUMMARY_ROOM = 250 + TRACE_LIST_ROOM };

static void make_summary(char room[SUMMARY_ROOM]) {
  char formats[TRACE_LIST_ROOM];
  trace_format_list(formats);
  snprintf(
      room, SUMMARY_ROOM,
      "Monitors the run of a concurrent program: is it serializable, are its transactions atomic? The run is %s, packed "
      "with gzip or zstd or not. It is read once, from the front, so it may be an endless stream.",
      formats);
}

static void body(Tool *tool) {
  char summary[SUMMARY_ROOM];
  make_summary(summary);
  Arguments arguments = {.work = work_defaults(), .checkpoint = {.every = 10}}, *a = &arguments;
  const Option options[] = {
      {"engine", 'e', OPTIONS_METHOD, OPTION_CHOICE, &a->engine, NULL, engines,
       "summarized conflict graph (default), the whole conflict graph, or vector clocks"},
      {"notion", 0, OPTIONS_QUESTION, OPTION_CHOICE, &a->notion, NULL, notions,
       "all transactions at once (default), or each one against single events of other threads"},
      {"locks", 0, OPTIONS_QUESTION, OPTION_CHOICE, &a->locks, NULL, lock_modes,
       "ignore acquire and release (default), or treat each as a write to its lock"},
      {"all", 'a', OPTIONS_QUESTION, OPTION_FLAG, &a->all, NULL, NULL,
       "go on after the first violation; report each source-level cycle once"},
      {"analysis", 0, OPTIONS_QUESTION, OPTION_CHOICE, &a->analysis, NULL, analyses,
       "monitor the run itself (default), or analyse all runs that its locks, forks and joins "
       "allow: by reduction, by blocks, or by both in this order"},
      {"sync", 's', OPTIONS_QUESTION, OPTION_CHOICE, &a->sync, NULL, syncs,
       "for --analysis: what the runs respect besides forks and joins: locks and hand-overs (default), only one of them, or neither"},
      {"races", 0, OPTIONS_METHOD, OPTION_CHOICE, &a->races, NULL, race_tests,
       "for reduction: decide race freedom for each pair of accesses (default), or by one lock common to all accesses of a variable"},
      {"compare", 0, OPTIONS_QUESTION, OPTION_FLAG, &a->compare, NULL, NULL,
       "run every analysis, and print what each says of each transaction, as a table"},
      {"functions", 0, OPTIONS_QUESTION, OPTION_FLAG, &a->functions, NULL, NULL,
       "ask about each function by itself, nested calls as well, and print a table"},
      {"refine", 0, OPTIONS_QUESTION, OPTION_FLAG, &a->refine, NULL, NULL,
       "print the functions that are atomic in this run"},
      INPUT_CHOSEN(&a->chosen),
      INPUT_SUPPRESS(&a->suppress),
      {"from", 0, OPTIONS_INPUT, OPTION_CHOICE, &a->from, NULL, inputs,
       "format of the run (default: detected from the content)"},
      {"lenient", 0, OPTIONS_INPUT, OPTION_FLAG, &a->lenient, NULL, NULL, "skip malformed lines, and count them"},
      {"convert", 0, OPTIONS_OUTPUT, OPTION_CHOICE, &a->convert, NULL, outputs,
       "do not monitor: write the run in that format"},
      {"plain", 0, OPTIONS_OUTPUT, OPTION_FLAG, &a->plain, NULL, NULL,
       "with --convert: without the operations that older tools do not know"},
      MANY_OPTIONS(&a->many),
      MANY_JOBS(&a->many, 'j'),
      OUTPUT_OPTIONS(&a->output),
      WORK_OPTIONS(&a->work),
      {"checkpoint", 0, OPTIONS_LIMITS, OPTION_TEXT, &a->checkpoint.path, "FILE", NULL,
       "write what is known of a long run to FILE every so often, and go on from there if the file is there"},
      {"checkpoint-every", 0, OPTIONS_LIMITS, OPTION_SECONDS, &a->checkpoint.every, "TIME", NULL,
       "how often that is (default: 10 s)"},
      WORK_ALLOW_EMPTY(&a->work),
      {"color", 0, OPTIONS_OUTPUT, OPTION_CHOICE, &a->input.colour, NULL, INPUT_COLOURS,
       "colour in the result (default auto: on a terminal, unless NO_COLOR is set)"},
      OUTPUT_STATS(&a->output),
      OUTPUT_VERBOSE(&a->output),
      {"quiet", 'q', OPTIONS_OUTPUT, OPTION_FLAG, &a->work.quiet, NULL, NULL, "print only the verdict"},
  };
  const Command command = {"tracecheck",
                           "[FILE|DIRECTORY|-]...",
                           summary,
                           "Exit codes: 0 serializable, 1 not, 2 unknown (a limit, Ctrl-C), 3 a usage or input error,\n"
                           "4 a self-check failed.\n"
                           "Example: tracerec run ./prog | tracecheck\n",
                           options,
                           sizeof options / sizeof *options,
                           0,
                           UINT32_MAX};
  OptionList operands;
  Err err;
  const Many many = {&a->many, &a->output, &a->work, &a->input, run, a, OF_RUN_SCHEMA, false};
  if (!tool_options(tool, &command, &operands)) return;
  Arena names;
  arena_init(&names, tool->heap);
  if (a->checkpoint.path) a->checkpoint.unfinished = arena_format(&names, "%s.unfinished", a->checkpoint.path);
  if (check_arguments(tool, a, &err)) many_run(tool, &many, &operands);
  else tool_complain(tool, &err);
  arena_fini(&names);
}

int main(int argc, char **argv) { return tool_main("tracecheck", argc, argv, body, EXIT_UNKNOWN); }
