/* tracecheck.c: monitors the run of a program, or writes it in another format. */
#include "base/file.h"
#include "tools/analysing.h"
#include "tools/comparing.h"
#include "tools/input.h"
#include "tools/runs.h"
#include "tools/tool.h"

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
  const Spool *input;
  const RunReport *report;
  const Comparison *comparison;
} Writing;

static TraceOptions trace_options(const Arguments *arguments) {
  return (TraceOptions){(int)arguments->from - 1, arguments->lenient};
}

/* ---- from one format to another ---- */

static bool copy_run(Heap *heap, TraceReader *reader, const char *name, TraceWriter *writer, Err *err) {
  const TraceEvent *events;
  uint64_t n_events = 0;
  uint32_t n = 1;
  bool good = true;
  while (n > 0 && (good = trace_next(reader, &events, &n, err))) {
    heap_poll_asked(heap);
    trace_write(writer, events, n);
    n_events += n;
  }
  good = good && (strcmp(name, "<stdin>") != 0 || run_expect(name, n_events, trace_skipped(reader), err));
  Err at_end;
  const bool ended = trace_writer_end(writer, &at_end);
  if (good && !ended) *err = at_end;
  return good && ended;
}

static bool write_converted(void *argument, FILE *out, Err *err) {
  const Writing *writing = argument;
  const TraceOptions options = trace_options(writing->arguments);
  Heap *heap = writing->tool->heap;
  TraceReader *reader = trace_open(heap, writing->input->path, &options, err);
  if (!reader) return false;
  const TraceFormat format = (TraceFormat)(writing->arguments->convert - 1);
  const bool good = copy_run(heap, reader, writing->input->name, trace_writer_new(heap, out, format, trace_names(reader)), err);
  const RunRemarks remarks = {trace_skipped(reader), trace_cut_short(reader)};
  if (good) run_warn(writing->tool->name, writing->input->name, &remarks);
  trace_close(reader);
  return good;
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

static void print_stats(Heap *heap, const RunsResult *result) {
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
  const RunsOptions *options;
  RunsResult result;
  Err *err;
  bool good;
} Checking;

static void check_body(void *argument) {
  Checking *checking = argument;
  checking->good = runs_check(checking->heap, checking->options, &checking->result, checking->err);
}

static bool monitor_run(Writing *writing, Err *err) {
  const Arguments *a = writing->arguments;
  Heap *heap = writing->tool->heap;
  const RunsOptions options = {
      writing->input, trace_options(a), {(MonitorEngine)a->engine, (MonitorNotion)a->notion, a->locks == 1, a->all}, &a->work};
  Checking checking = {.heap = heap, .options = &options, .err = err};
  char why[100];
  const StopReason left = work_within_limits(writing->tool, &a->work, check_body, &checking);
  if (left != STOP_NOT) {
    heap_explain(heap, left, why, sizeof why);
    runs_give_up(&options, &checking.result, why);
    checking.good = true;
  }
  if (checking.good) {
    const RunsResult *result = &checking.result;
    run_warn(writing->tool->name, writing->input->name, &result->input.remarks);
    if (a->stats) print_stats(heap, result);
    writing->report = &result->report;
    writing->tool->exit_code = verdict_exit_code(result->report.verdict);
    checking.good = write_report(writing, err);
  }
  if (left == STOP_NOT) runs_fini(&checking.result);
  return checking.good;
}

/* ---- other analyses ---- */

/* A body for heap_try, and what it needs. */
typedef struct {
  Heap *heap;
  const Arguments *arguments;
  const Spool *spool;
  AnalysingResult result;
  Err *err;
  bool good;
} Analysing;

static void analyse_body(void *argument) {
  Analysing *a = argument;
  const TraceOptions trace = trace_options(a->arguments);
  const AnalysisOptions options = {(AnalysisKind)(a->arguments->analysis - 1), (RaceTest)a->arguments->races, 0};
  a->good = analysing_run(a->heap, a->spool, &trace, &options, &a->arguments->work, &a->result, a->err);
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

static bool analyse_run(Tool *tool, const Arguments *arguments, const Spool *spool, Err *err) {
  Analysing a = {.heap = tool->heap, .arguments = arguments, .spool = spool, .err = err};
  char why[100];
  const StopReason left = work_within_limits(tool, &arguments->work, analyse_body, &a);
  if (left != STOP_NOT) {
    heap_explain(tool->heap, left, why, sizeof why);
    a.result.report = (AnalysisReport){.kind = (AnalysisKind)(arguments->analysis - 1), .why = why};
    a.good = true;
  }
  if (!a.good) return false;
  run_warn(tool->name, spool->name, &a.result.input.remarks);
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
  Err *err;
  bool good, compared;
} Compare;

static void compare_body(void *argument) {
  Compare *compare = argument;
  const Writing *writing = compare->writing;
  const TraceOptions trace = trace_options(writing->arguments);
  Heap *heap = writing->tool->heap;
  compare->good = spool_open(&compare->spool, heap, writing->input->path, compare->err);
  if (!compare->good) return;
  compare->good = comparing_run(heap, &compare->spool, &trace, &writing->arguments->work, &compare->result, compare->err);
  compare->compared = compare->good;
}

static bool compare_run(Writing *writing, Err *err) {
  Tool *tool = writing->tool;
  const char *output = writing->arguments->output;
  Compare compare = {.writing = writing, .spool = {.file = -1}, .err = err};
  const StopReason left = work_within_limits(tool, &writing->arguments->work, compare_body, &compare);
  if (left != STOP_NOT) return work_give_up(tool, left), true;
  if (compare.good) {
    writing->comparison = &compare.result.comparison;
    tool->exit_code = verdict_exit_code(comparison_verdict(writing->comparison));
    compare.good = file_write(tool->heap, output ? output : "-", write_comparison, writing, err);
  }
  if (compare.compared) comparing_fini(tool->heap, &compare.result);
  spool_close(&compare.spool, tool->heap);
  return compare.good;
}

/* ---- the command line ---- */

static bool is_stdout(const char *path) { return !path || strcmp(path, "-") == 0; }

static bool check_arguments(const Arguments *a, Err *err) {
  if (a->engine == MONITOR_CG && a->notion == MONITOR_CAUSAL)
    return err_set(err, ERR_INPUT, "--engine=cg knows --notion=serializable only; scg and vc know both");
  if ((a->analysis || a->compare) && (a->engine || a->locks || a->notion || a->all || a->dot || a->convert))
    return err_set(err, ERR_INPUT, "--engine, --locks, --notion, --all, --dot and --convert are the monitor's");
  if (a->compare && a->analysis) return err_set(err, ERR_INPUT, "--compare makes all the analyses, --analysis one of them");
  if (a->races && a->analysis != 1 && a->analysis != 3) return err_set(err, ERR_INPUT, "--races is for --analysis=reduction and combined");
  if (a->convert && (a->dot || a->format != FORMAT_TEXT || a->stats || a->all))
    return err_set(err, ERR_INPUT, "--convert does not monitor: it goes with --from, --lenient and -o only");
  if (a->dot && is_stdout(a->dot) && is_stdout(a->output))
    return err_set(err, ERR_INPUT, "only one of the result and --dot can go to stdout");
  return true;
}

static void run(Tool *tool, const Arguments *arguments, const char *path) {
  Err err;
  const Spool input = spool_plain(path);
  Writing writing = {.tool = tool, .arguments = arguments, .input = &input};
  bool good = check_arguments(arguments, &err);
  if (good && arguments->convert)
    good = convert_run(&writing, &err);
  else if (good && arguments->compare)
    good = compare_run(&writing, &err);
  else if (good && arguments->analysis)
    good = analyse_run(tool, arguments, &input, &err);
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
