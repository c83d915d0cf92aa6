#include "tools/output.h"

#include "base/text.h"

#include <string.h>

/* What a FileWriter needs to know. */
typedef struct {
  const Report *report;
  const Writer *writer;
  TextStyle style;
  const InputOptions *input; /* NULL: no colour */
} Writing;

uint32_t output_own_format(void) {
  uint32_t n;
  writers_table(&n);
  return n;
}

const char *const *output_formats(Heap *heap, const char *const more[2]) {
  const uint32_t n = output_own_format();
  const char **names = heap_zeroed(heap, heap_product(heap, (uint64_t)n + 3, sizeof *names));
  memcpy(names, writers_names(), n * sizeof *names);
  names[n] = more[0];
  names[n + 1] = more[1];
  return names;
}

bool output_is_brief(const OutputOptions *options) {
  uint32_t n;
  const Writer *table = writers_table(&n);
  return options->format < n && table[options->format].brief && !options->verbose && !options->dot && !options->svg &&
         !options->html;
}

bool output_differs(Heap *heap, const OutputOptions *options, const char *input, const PathUse *more, size_t n_more,
                    Err *err) {
  enum { OWN = 5 };
  PathUse *uses = heap_zeroed(heap, heap_product(heap, (uint64_t)n_more + OWN, sizeof *uses));
  uses[0] = (PathUse){NULL, input};
  uses[1] = (PathUse){options->output ? "--output" : "the result", options->output ? options->output : "-"};
  uses[2] = (PathUse){"--dot", options->dot};
  uses[3] = (PathUse){"--svg", options->svg};
  uses[4] = (PathUse){"--html", options->html};
  for (size_t i = 0; i < n_more; i++) uses[OWN + i] = more[i];
  return paths_differ(heap, uses, OWN + n_more, err);
}

static bool write_report(void *argument, FILE *out, Err *err) {
  const Writing *writing = argument;
  TextStyle style = writing->style;
  style.colour = writing->input && input_wants_colour(writing->input, out);
  return writing->writer->write(writing->report, style, out, err);
}

static bool write_picture(Tool *tool, const Report *report, const char *format, const char *path, Err *err) {
  Writing writing = {report, writers_find(format), {0}, NULL};
  return tool_write(tool, path, write_report, &writing, err);
}

static Report with_inputs(const Report *report, const OutputOptions *options, const InputOptions *input) {
  Report whole = *report;
  whole.file = options->file;
  whole.inputs = input ? input->inputs : NULL;
  return whole;
}

bool output_begin(Tool *tool, const Report *report, const OutputOptions *options, const InputOptions *input, Err *err) {
  if (options->stats && report->statistics.n) statistics_print(report->statistics.at, report->statistics.n, stderr);
  tool->exit_code = verdict_exit_code(report->verdict);
  const Report whole = with_inputs(report, options, input);
  return write_picture(tool, report, "dot", options->dot, err) &&
         write_picture(tool, report, "svg", options->svg, err) &&
         write_picture(tool, &whole, "html", options->html, err);
}

bool output_result(Tool *tool, const Report *report, const OutputOptions *options, const InputOptions *input,
                   bool quiet, Err *err) {
  uint32_t n;
  const Writer *writer = &writers_table(&n)[options->format];
  tool->answered = true;
  const Report whole = with_inputs(report, options, input);
  Writing writing = {&whole, writer, {.quiet = quiet, .verbose = options->verbose}, input};
  return tool_write(tool, options->output ? options->output : "-", write_report, &writing, err);
}

bool output_report(Tool *tool, const Report *report, const OutputOptions *options, const InputOptions *input,
                   bool quiet, Err *err) {
  return output_begin(tool, report, options, input, err) && output_result(tool, report, options, input, quiet, err);
}

/* What is passed through heap_try. */
typedef struct {
  Tool *tool;
  const char *schema;
  const OutputOptions *options;
  const InputOptions *input;
  const Err *err;
  Err failure;
  bool good;
} Refusal;

static void write_refusal(void *argument) {
  Refusal *refusal = argument;
  const ExitCode code = (ExitCode)refusal->tool->exit_code;
  Report report;
  report_init(&report, refusal->tool->heap, refusal->tool->name, true);
  report.schema = refusal->schema;
  report.verdict_name = code == EXIT_UNKNOWN ? "unknown" : "error";
  report.failure = code == EXIT_UNKNOWN ? EXIT_HOLDS : code;
  report.why = refusal->err->text[0] ? text_clean(&report.arena, refusal->err->text) : NULL;
  refusal->good = output_result(refusal->tool, &report, refusal->options, refusal->input, true, &refusal->failure);
  report_fini(&report);
}

static bool says_errors(const OutputOptions *options) {
  uint32_t n;
  const Writer *table = writers_table(&n);
  return options->format < n && table[options->format].says_errors;
}

bool output_says_inputs(const OutputOptions *options) { return says_errors(options) || options->html; }

void output_error(Tool *tool, const char *schema, const OutputOptions *options, const InputOptions *input,
                  const Err *err) {
  Refusal refusal = {.tool = tool, .schema = schema, .options = options, .input = input, .err = err, .good = true};
  tool_complain(tool, err);
  if (tool->answered || !says_errors(options)) return;
  const int code = tool->exit_code;
  if (!heap_try(tool->heap, write_refusal, &refusal)) {
    const char *path = options->output ? options->output : "the result";
    fprintf(stderr, "%s: %s: not written\n", tool->name, path);
  } else if (!refusal.good) tool_complain(tool, &refusal.failure);
  tool->exit_code = code;
}
