/* tracecheck.c: monitors the run of a program, or writes it in another format. */
#include "ask/analysing.h"
#include "ask/comparing.h"
#include "ask/converting.h"
#include "ask/monitoring.h"
#include "base/file.h"
#include "report/analysis_report.h"
#include "report/comparison.h"
#include "report/run_report.h"
#include "tools/input.h"
#include "tools/tool.h"
#include "tools/work.h"

#include <string.h>

static const char *const engines[] = {"scg", "cg", "vc", NULL}, *const lock_modes[] = {"ignore", "conflict", NULL};
static const char *const notions[] = {"serializable", "causal", NULL}, *const result_formats[] = {"text", "json", NULL};
static const char *const analyses[] = {"monitor", "reduction", "blocks", "combined", NULL}, *const race_tests[] = {"pairs", "common", NULL};
static const char *const inputs[] = {"auto", TRACE_FORMAT_NAMES NULL}, *const outputs[] = {"none", TRACE_FORMAT_NAMES NULL};

enum { FORMAT_TEXT, FORMAT_JSON };

typedef struct {
  WorkOptions work;
  InputOptions input;                       /* for the colour alone */
  uint32_t engine, locks, notion, format, analysis, races;
  uint32_t from, convert;                   /* a TraceFormat + 1; or 0 */
  const char *output, *dot;
  bool all, lenient, stats, compare;
} Arguments;

typedef struct {
  Tool *tool;
  const Arguments *arguments;
  const RunSource *source;
  const RunReport *report;
  const Comparison *comparison;
} Writing;

/* ---- from one format to another ---- */

static bool write_converted(void *argument, FILE *out, Err *err) {
  const Writing *writing = argument;
  RunRemarks remarks;
  if (!converting_run(writing->tool->heap, writing->source, (TraceFormat)(writing->arguments->convert - 1), out, &remarks, err)) return false;
  input_warn_run(writing->tool->name, writing->source->inputs->name, &remarks);
  return true;
}

/* ---- the report ---- */

static bool write_dot(void *argument, FILE *out, Err *err) {
  const Writing *writing = argument;
  return run_report_dot(writing->tool->heap, writing->report, out, err);
}

static bool write_result(void *argument, FILE *out, Err *err) {
  const Writing *writing = argument;
  const Arguments *arguments = writing->arguments;
  (void)err;
  if (arguments->format == FORMAT_JSON) run_report_json(writing->tool->heap, writing->report, out);
  else
    run_report_text(writing->tool->heap, writing->report,
                    (RunStyle){input_wants_colour(&arguments->input, out), arguments->work.quiet}, out);
  return true;
}

static bool write_report(Writing *writing, Err *err) {
  const Arguments *arguments = writing->arguments;
  Heap *heap = writing->tool->heap;
  return tool_write(writing->tool, arguments->dot, write_dot, writing, err) &&
         file_write(heap, arguments->output ? arguments->output : "-", write_result, writing, err);
}

static void print_stats(Heap *heap, const MonitoringResult *result) {
  const RunReport *report = &result->report;
  fprintf(stderr, "events %llu, threads %llu, entities %llu, most nodes %llu, most edges %llu, %.3f s, %.1f MB\n",
          (unsigned long long)report->events, (unsigned long long)report->threads, (unsigned long long)report->entities,
          (unsigned long long)result->size.most_nodes, (unsigned long long)result->size.most_edges, result->seconds,
          (double)heap_peak(heap) / 1e6);
}

typedef struct {
  const Writing *writing;
  Err *err;
  bool good;
} Converting;

static void convert_body(void *argument) {
  Converting *converting = argument;
  const Writing *writing = converting->writing;
  const char *output = writing->arguments->output;
  converting->good = file_write(writing->tool->heap, output ? output : "-", write_converted, (void *)(uintptr_t)writing, converting->err);
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
  MonitoringResult result;
  Err *err;
  bool good;
} Checking;

static void check_body(void *argument) {
  Checking *checking = argument;
  checking->good = monitoring_run(checking->heap, checking->source, &checking->options, &checking->limits, &checking->result, checking->err);
}

static bool monitor_run(Writing *writing, Err *err) {
  const Arguments *a = writing->arguments;
  Heap *heap = writing->tool->heap;
  Progress progress;
  const MonitorOptions options = {(MonitorEngine)a->engine, (MonitorNotion)a->notion, a->locks == 1, a->all};
  Checking checking = {.heap = heap, .source = writing->source, .options = options, .limits = work_limits(&a->work, &progress), .err = err};
  char why[100];
  progress_init(&progress, &a->work);
  const StopReason left = work_within_limits(writing->tool, &a->work, check_body, &checking);
  progress_clear(&progress);
  if (left != STOP_NOT) {
    heap_explain(heap, left, why, sizeof why);
    monitoring_give_up(&options, &checking.result, why);
    checking.good = true;
  }
  if (checking.good) {
    const MonitoringResult *result = &checking.result;
    input_warn_run(writing->tool->name, writing->source->inputs->name, &result->input.remarks);
    if (a->stats) print_stats(heap, result);
    writing->report = &result->report;
    writing->tool->exit_code = verdict_exit_code(result->report.verdict);
    checking.good = write_report(writing, err);
  }
  if (left == STOP_NOT) monitoring_fini(&checking.result);
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
  const AnalysisOptions options = {(AnalysisKind)(a->arguments->analysis - 1), (RaceTest)a->arguments->races, 0};
  const AskLimits limits = work_limits(&a->arguments->work, &a->progress);
  a->good = analysing_run(a->heap, a->source, &options, &limits, &a->result, a->err);
}

static bool write_analysis(void *argument, FILE *out, Err *err) {
  const Analysing *a = argument;
  (void)err;
  if (a->arguments->format == FORMAT_JSON) analysis_report_json(a->heap, &a->result.report, out);
  else
    analysis_report_text(a->heap, &a->result.report, (RunStyle){input_wants_colour(&a->arguments->input, out), a->arguments->work.quiet}, out);
  return true;
}

static void print_analysis_stats(const Analysing *a) {
  if (!a->result.report.analysis) return;
  const AnalysisSize size = analysis_size(a->result.report.analysis);
  fprintf(stderr, "events %llu, transactions %llu, shapes %llu, spans %llu, 2-blocks %llu, states %llu, %.3f s, %.1f MB\n",
          (unsigned long long)size.events, (unsigned long long)size.transactions, (unsigned long long)size.shapes,
          (unsigned long long)size.spans, (unsigned long long)size.two_blocks, (unsigned long long)size.states, a->result.seconds,
          (double)heap_peak(a->heap) / 1e6);
}

static bool analyse_run(Tool *tool, const Arguments *arguments, const RunSource *source, Err *err) {
  Analysing a = {.heap = tool->heap, .arguments = arguments, .source = source, .err = err};
  char why[100];
  progress_init(&a.progress, &arguments->work);
  const StopReason left = work_within_limits(tool, &arguments->work, analyse_body, &a);
  progress_clear(&a.progress);
  if (left != STOP_NOT) {
    heap_explain(tool->heap, left, why, sizeof why);
    a.result.report = (AnalysisReport){.kind = (AnalysisKind)(arguments->analysis - 1), .why = why};
    a.good = true;
  }
  if (!a.good) return false;
  input_warn_run(tool->name, source->inputs->name, &a.result.input.remarks);
  if (arguments->stats) print_analysis_stats(&a);
  tool->exit_code = verdict_exit_code(analysis_report_verdict(&a.result.report));
  const bool written = file_write(tool->heap, arguments->output ? arguments->output : "-", write_analysis, &a, err);
  if (left == STOP_NOT) analysing_fini(&a.result);
  return written;
}

static bool write_comparison(void *argument, FILE *out, Err *err) {
  const Writing *writing = argument;
  (void)err;
  if (writing->arguments->format == FORMAT_JSON) comparison_json(writing->tool->heap, writing->comparison, out);
  else comparison_text(writing->tool->heap, writing->comparison, out);
  return true;
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
  const RunSource source = {&compare->spool, 1, writing->source->trace};
  compare->good = spool_open(&compare->spool, heap, writing->source->inputs->path, compare->err);
  if (!compare->good) return;
  const AskLimits limits = work_limits(&writing->arguments->work, &compare->progress);
  compare->good = comparing_run(heap, &source, &limits, &compare->result, compare->err);
  compare->compared = compare->good;
}

static bool compare_run(Writing *writing, Err *err) {
  Tool *tool = writing->tool;
  const char *output = writing->arguments->output;
  Compare compare = {.writing = writing, .spool = {.file = -1}, .err = err};
  progress_init(&compare.progress, &writing->arguments->work);
  const StopReason left = work_within_limits(tool, &writing->arguments->work, compare_body, &compare);
  progress_clear(&compare.progress);
  if (left != STOP_NOT) return work_give_up(tool, left), true;
  if (compare.good) {
    writing->comparison = &compare.result.comparison;
    tool->exit_code = verdict_exit_code(comparing_verdict(writing->comparison));
    compare.good = file_write(tool->heap, output ? output : "-", write_comparison, writing, err);
  }
  if (compare.compared) comparing_fini(tool->heap, &compare.result);
  spool_close(&compare.spool, tool->heap);
  return compare.good;
}

/* ---- the command line ---- */

static bool is_stdout(const char *path) { return !path || strcmp(path, "-") == 0; }

static bool check_arguments(const Arguments *a, Err *err) {
  const bool monitored = a->engine || a->locks || a->notion || a->all || a->dot, by_reduction = a->analysis == 1 || a->analysis == 3;
  const ToolRule rules[] = {
      {a->engine == MONITOR_CG && a->notion == MONITOR_CAUSAL, "--engine=cg knows --notion=serializable only; scg and vc know both"},
      {(a->analysis || a->compare) && (monitored || a->convert), "--engine, --locks, --notion, --all, --dot and --convert are the monitor's"},
      {a->compare && a->analysis, "--compare makes all the analyses, --analysis one of them"},
      {a->races && !by_reduction, "--races is for --analysis=reduction and combined"},
      {a->convert && (a->dot || a->format != FORMAT_TEXT || a->stats || a->all),
       "--convert does not monitor: it goes with --from, --lenient and -o only"},
      {a->dot && is_stdout(a->dot) && is_stdout(a->output), "only one of the result and --dot can go to stdout"},
  };
  return tool_obeys(rules, sizeof rules / sizeof *rules, err);
}

static void run(Tool *tool, const Arguments *arguments, const char *path) {
  Err err;
  const Spool input = spool_plain(path);
  const RunSource source = {&input, 1, {(int)arguments->from - 1, arguments->lenient}};
  Writing writing = {.tool = tool, .arguments = arguments, .source = &source};
  bool good = check_arguments(arguments, &err);
  if (good && arguments->convert)
    good = convert_run(&writing, &err);
  else if (good && arguments->compare)
    good = compare_run(&writing, &err);
  else if (good && arguments->analysis)
    good = analyse_run(tool, arguments, &source, &err);
  else if (good)
    good = monitor_run(&writing, &err);
  if (!good) tool_complain(tool, &err);
}

/* What --help says first. */
enum { SUMMARY_ROOM = 250 + TRACE_LIST_ROOM };

static void make_summary(char room[SUMMARY_ROOM]) {
  char formats[TRACE_LIST_ROOM];
  trace_format_list(formats);
  snprintf(room, SUMMARY_ROOM,
           "Monitors the run of a concurrent program: is it serializable, are its transactions atomic? The run is %s, packed "
           "with gzip or zstd or not; it is read once, and may be without end.",
           formats);
}

static void body(Tool *tool) {
  char summary[SUMMARY_ROOM];
  make_summary(summary);
  Arguments arguments = {.work = work_defaults()}, *a = &arguments;
  const Option options[] = {
      {"engine", 'e', OPTION_CHOICE, &a->engine, NULL, engines,
       "summarized conflict graph (default), the whole conflict graph, or vector clocks"},
      {"notion", 0, OPTION_CHOICE, &a->notion, NULL, notions,
       "all transactions at once (default), or each one against the single events of other threads"},
      {"locks", 0, OPTION_CHOICE, &a->locks, NULL, lock_modes,
       "acquire and release are nothing (default), or write their lock"},
      {"all", 'a', OPTION_FLAG, &a->all, NULL, NULL,
       "go on after the first violation; each cycle of places in the source is told once"},
      {"analysis", 0, OPTION_CHOICE, &a->analysis, NULL, analyses,
       "monitor the run itself (default), or look at all runs that its locks, forks and joins allow: by reduction, by blocks, or first the one and "
       "then the other"},
      {"races", 0, OPTION_CHOICE, &a->races, NULL, race_tests,
       "what is race-free, for reduction: told for each pair of accesses (default), or by a common lock of all"},
      {"compare", 0, OPTION_FLAG, &a->compare, NULL, NULL, "make all the analyses, and print what each says of each transaction as a table"},
      {"from", 0, OPTION_CHOICE, &a->from, NULL, inputs, "format of the run (default: told from the content)"},
      {"lenient", 0, OPTION_FLAG, &a->lenient, NULL, NULL, "skip lines that are wrong, and count them"},
      {"convert", 0, OPTION_CHOICE, &a->convert, NULL, outputs, "do not monitor, write the run in that format"},
      {"format", 'f', OPTION_CHOICE, &a->format, NULL, result_formats, "of the result (default text)"},
      {"output", 'o', OPTION_TEXT, &a->output, "FILE", NULL, "write the result there, not on stdout"},
      {"dot", 0, OPTION_TEXT, &a->dot, "FILE", NULL, "draw the cycles as a DOT graph"},
      WORK_OPTIONS(&a->work),
      WORK_ALLOW_EMPTY(&a->work),
      {"color", 0, OPTION_CHOICE, &a->input.colour, NULL, INPUT_COLOURS,
       "colour in the result (default auto: on a terminal, unless NO_COLOR is set)"},
      {"stats", 0, OPTION_FLAG, &a->stats, NULL, NULL, "print sizes, time and memory on stderr"},
      {"quiet", 'q', OPTION_FLAG, &a->work.quiet, NULL, NULL, "print the verdict alone"},
  };
  const Command command = {"tracecheck",
                           "[FILE|-]",
                           summary,
                           "Exit codes: 0 serializable, 1 not, 2 unknown (a limit, Ctrl-C), 3 a usage or input error,\n"
                           "4 a self-check failed.\n"
                           "Example: tracerec run ./prog | tracecheck\n",
                           options,
                           sizeof options / sizeof *options,
                           0,
                           1};
  OptionList operands;
  if (tool_options(tool, &command, &operands)) run(tool, a, operands.n ? operands.at[0] : "-");
}

int main(int argc, char **argv) { return tool_main("tracecheck", argc, argv, body, EXIT_UNKNOWN); }
