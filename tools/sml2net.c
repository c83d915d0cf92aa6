/* sml2net: compiles an SML program to a net. */
#include "base/statistics.h"
#include "petri/net_io.h"
#include "tools/input_options.h"
#include "tools/net_pipe.h"
#include "tools/paths.h"
#include "tools/work.h"

/* In the order of NetFormat. */
static const char *const FORMATS[] = {"pnml", "ll_net", "dot", NULL};

typedef struct {
  InputOptions input;
  WorkOptions work;
  const char *output;
  uint32_t format; /* a NetFormat */
  bool any_number, stats;
} Arguments;

static void print_stats(const Net *net) {
  const Statistic rows[] = {STATISTIC("threads", net->notes ? net->notes->n_threads : 0),
                            STATISTIC("blocks", net->notes ? net->notes->n_blocks : 0),
                            STATISTIC("places", net->n_places), STATISTIC("transitions", net->n_trans),
                            STATISTIC("arcs", (uint64_t)net->n_inputs + net->n_outputs)};
  statistics_print(rows, sizeof rows / sizeof *rows, stderr);
}

/* What is passed through heap_try. */
typedef struct {
  Heap *heap;
  const Arguments *arguments;
  const char *path;
  Err err;
  bool good, writes; /* it writes the net, or has written it */
} Run;

static bool convert(Run *run, const InFile *file) {
  const Arguments *arguments = run->arguments;
  ProgramOptions options;
  if (!input_program(run->heap, &arguments->input, &options, &run->err)) return false;
  options.sml.any_number = arguments->any_number;
  Net *net = program_input_compile(run->heap, file, &options, &run->err);
  if (!net) return false;
  run->writes = true;
  const bool good =
      net_write(run->heap, net, arguments->format, arguments->output ? arguments->output : "-", &run->err);
  if (good && arguments->stats) print_stats(net);
  net_free(net);
  return good;
}

static void convert_body(void *argument) {
  Run *run = argument;
  InFile file;
  run->good = file_read(run->heap, run->path, &file, &run->err);
  if (!run->good) return;
  run->good =
      !net_is_absent(&file, &run->err) && program_input_expect(&file, "a program", &run->err) && convert(run, &file);
  file_release(run->heap, &file);
}

static void run(Tool *tool, const Arguments *arguments, const char *path) {
  Run run = {.heap = tool->heap, .arguments = arguments, .path = path};
  const PathUse paths[] = {{NULL, path}, {"--output", arguments->output ? arguments->output : "-"}};
  if (!paths_differ(tool->heap, paths, sizeof paths / sizeof *paths, &run.err)) {
    tool_complain(tool, &run.err);
    return;
  }
  const StopReason left = work_within_limits(tool, &arguments->work, convert_body, &run);
  if (left != STOP_NOT) work_give_up(tool, left);
  else if (!run.good) tool_complain(tool, &run.err);
  const bool piped = !arguments->output && arguments->format != NET_DOT;
  if (tool->exit_code != EXIT_HOLDS && piped && !run.writes) net_pipe_fail(tool);
}

static void body(Tool *tool) {
  Arguments arguments = {.work = work_defaults()}, *a = &arguments;
  const Option options[] = {
      INPUT_SML_OPTIONS(&a->input),
      INPUT_ENCODING(&a->input),
      INPUT_MESSAGES(&a->input),
      {"any-number", 0, OPTIONS_INPUT, OPTION_FLAG, &a->any_number, NULL, NULL,
       "leave the N of 'N * { }' open where no -D sets it: causalcheck answers for every N then"},
      {"format", 'f', OPTIONS_OUTPUT, OPTION_CHOICE, &a->format, NULL, FORMATS, "format of the net (default pnml)"},
      {"output", 'o', OPTIONS_OUTPUT, OPTION_TEXT, &a->output, "FILE", NULL, "write the net there, not to stdout"},
      LIMIT_OPTIONS(&a->work),
      {"stats", 0, OPTIONS_OUTPUT, OPTION_FLAG, &a->stats, NULL, NULL, "print the net's size on stderr"},
  };
  const Command command = {
      "sml2net",
      "[FILE|-]",
      "Compiles a program in SML, a small multithreaded language, to a 1-safe Petri net with annotations.",
      "Warnings, all on: undeclared, unassigned, unread, unused-lock, unused-define, unreached-block,\n"
      "unmarked, held-acquire, unheld-release, modulo-wrap, division-by-zero, index-range, unforked,\n"
      "untracked-assert.\n"
      "Exit codes: 0 done, 2 a limit or Ctrl-C came first, 3 a usage or input error; then nothing is written.\n"
      "Example: sml2net -D N=3 samples/acquire1.sml | causalcheck\n",
      options,
      sizeof options / sizeof *options,
      0,
      1};
  OptionList operands;
  if (tool_options(tool, &command, &operands)) run(tool, &arguments, operands.n ? operands.at[0] : "-");
  else if (tool->exit_code != EXIT_HOLDS) net_pipe_fail(tool);
}

int main(int argc, char **argv) { return tool_main("sml2net", argc, argv, body, EXIT_UNKNOWN); }
