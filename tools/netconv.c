/* netconv.c: nets from one format to another. */
#include "ask/net_input.h"
#include "base/statistics.h"
#include "tools/net_pipe.h"
#include "tools/net_warning.h"
#include "tools/paths.h"
#include "tools/work.h"

#include <string.h>

static const char *const input_formats[] = {"auto", "pnml", "ll_net", NULL};
static const char *const output_formats[] = {"auto", "pnml", "ll_net", "dot", NULL};

typedef struct {
  uint32_t from, to; /* 0: detected from the content, or by the name of the output; else a NetFormat + 1 */
  WorkOptions work;
  bool stats;
} Arguments;

static bool ends_with(const char *path, const char *ending) {
  const size_t length = strlen(path), n = strlen(ending);
  return length > n && strcmp(path + length - n, ending) == 0;
}

/* The format that the ending of the path says. */
static bool format_of_path(const char *path, NetFormat *format, Err *err) {
  static const struct {
    const char *ending;
    NetFormat format;
  } endings[] = {{".pnml", NET_PNML}, {".xml", NET_PNML}, {".ll_net", NET_LL_NET}, {".dot", NET_DOT}, {".gv", NET_DOT}};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (ends_with(path, endings[i].ending)) {
      *format = endings[i].format;
      return true;
    }
  return err_set(err, ERR_INPUT,
                 "%s: cannot tell the format from the file name (.pnml, .ll_net, .dot); use --to=FORMAT",
                 strcmp(path, "-") == 0 ? "<stdout>" : path);
}

static void print_stats(const Net *net) {
  const Statistic rows[] = {STATISTIC("places", net->n_places), STATISTIC("transitions", net->n_trans),
                            STATISTIC("arcs", (uint64_t)net->n_inputs + net->n_outputs),
                            STATISTIC("units", net->n_units)};
  statistics_print(rows, sizeof rows / sizeof *rows, stderr);
}

/* What is passed through heap_try. */
typedef struct {
  Heap *heap;
  const Arguments *arguments;
  const char *in, *out;
  Err err;
  bool good, writes; /* it writes the net, or has written it */
} Run;

static bool convert(Run *run) {
  const Arguments *arguments = run->arguments;
  NetFormat format = (NetFormat)(arguments->to - 1);
  if (!arguments->to && !format_of_path(run->out, &format, &run->err)) return false;
  const NetFormat from = (NetFormat)(arguments->from - 1);
  Net *net = net_input_read(run->heap, run->in, arguments->from ? &from : NULL, &run->err);
  if (!net) return false;
  net_warn("netconv", run->in, net);
  run->writes = true;
  const bool good = net_write(run->heap, net, format, run->out, &run->err);
  if (good && arguments->stats) print_stats(net);
  net_free(net);
  return good;
}

static void convert_body(void *argument) {
  Run *run = argument;
  run->good = convert(run);
}

static void run(Tool *tool, const Arguments *arguments, const char *in, const char *out) {
  Run run = {.heap = tool->heap, .arguments = arguments, .in = in, .out = out};
  const PathUse paths[] = {{NULL, in}, {"the net", out}};
  if (!paths_differ(tool->heap, paths, sizeof paths / sizeof *paths, &run.err)) {
    tool_complain(tool, &run.err);
    return;
  }
  const StopReason left = work_within_limits(tool, &arguments->work, convert_body, &run);
  if (left != STOP_NOT) work_give_up(tool, left);
  else if (!run.good) tool_complain(tool, &run.err);
  const bool piped = strcmp(out, "-") == 0 && arguments->to != NET_DOT + 1;
  if (tool->exit_code != EXIT_HOLDS && piped && !run.writes) net_pipe_fail(tool);
}

static void body(Tool *tool) {
  Arguments arguments = {.work = work_defaults()}, *a = &arguments;
  const Option options[] = {
      {"from", 'f', OPTIONS_INPUT, OPTION_CHOICE, &a->from, NULL, input_formats,
       "format of the input (default: detected from the content)"},
      {"to", 't', OPTIONS_OUTPUT, OPTION_CHOICE, &a->to, NULL, output_formats,
       "format of the output (default: taken from its name)"},
      LIMIT_OPTIONS(&a->work),
      {"stats", 0, OPTIONS_OUTPUT, OPTION_FLAG, &a->stats, NULL, NULL, "print the net's size on stderr"},
  };
  const Command command = {
      "netconv",
      "IN OUT",
      "Converts a 1-safe Petri net: PNML or ll_net in; PNML, ll_net or DOT out. '-' is stdin or stdout.",
      "Only PNML keeps units and annotations.\n"
      "Exit codes: 0 done, 2 a limit or Ctrl-C came first, 3 a usage or input error.\n"
      "Example: netconv net.ll_net net.pnml\n",
      options,
      sizeof options / sizeof *options,
      2,
      2};
  OptionList operands;
  if (tool_options(tool, &command, &operands)) run(tool, a, operands.at[0], operands.at[1]);
}

int main(int argc, char **argv) { return tool_main("netconv", argc, argv, body, EXIT_UNKNOWN); }
