/* netconv.c: nets from one format to another. */
#include "ask/net_input.h"
#include "base/statistics.h"
#include "petri/net_threads.h"
#include "tools/net_pipe.h"
#include "tools/net_warning.h"
#include "tools/paths.h"
#include "tools/work.h"

#include <string.h>

/* The choices of --from and --to: "auto", then the formats that are read, or written. */
typedef struct {
  const char *names[NET_FORMAT_KINDS + 2]; /* NULL-terminated */
  NetFormat formats[NET_FORMAT_KINDS + 1]; /* of the choice of that number; not of "auto" */
} Choices;

typedef struct {
  uint32_t from, to; /* choices; 0: detected from the content, or by the name of the output */
  Choices froms, tos;
  WorkOptions work;
  const char *threads;
  bool stats, list, find_threads, print_threads;
} Arguments;

static Choices choices_of(bool writes) {
  Choices choices = {.names = {"auto"}};
  uint32_t n = 1;
  for (uint32_t i = 0; i < NET_FORMAT_KINDS; i++) {
    if (!(writes ? NET_FORMATS[i].writes : NET_FORMATS[i].reads)) continue;
    choices.formats[n] = (NetFormat)i;
    choices.names[n++] = NET_FORMATS[i].name;
  }
  return choices;
}

static void print_formats(void) {
  for (uint32_t i = 0; i < NET_FORMAT_KINDS; i++) {
    const NetFormatRow *row = &NET_FORMATS[i];
    printf("%-8s%-14s%-12s%s\n", row->name,
           row->reads && row->writes ? "reads, writes"
           : row->reads              ? "reads"
                                     : "writes",
           row->endings, row->about);
  }
}

/* Does the path, with something in front, end with one of the words between blanks? */
static bool ends_with(const char *path, const char *endings) {
  const size_t length = strlen(path);
  for (size_t n; (n = strcspn(endings, " ")) > 0; endings += n + strspn(endings + n, " "))
    if (length > n && memcmp(path + length - n, endings, n) == 0) return true;
  return false;
}

/* The format that the ending of the path says. */
static bool format_of_path(const char *path, NetFormat *format, Err *err) {
  for (uint32_t i = 0; i < NET_FORMAT_KINDS; i++)
    if (NET_FORMATS[i].writes && ends_with(path, NET_FORMATS[i].endings)) {
      *format = (NetFormat)i;
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

/* ---- threads ---- */

static bool read_threads(Heap *heap, const char *path, Net *net, Err *err) {
  InFile file;
  if (!file_read(heap, path, &file, err)) return false;
  const bool good = net_threads_read(heap, &file, net, err);
  file_release(heap, &file);
  return good;
}

static bool give_threads(Heap *heap, const Arguments *arguments, const char *in, Net *net, Err *err) {
  if (arguments->find_threads && net->notes)
    return err_set(err, ERR_INPUT, "%.300s: the net has annotations, which say its threads", file_name(in));
  if (arguments->find_threads) net_threads_find(heap, net);
  return !arguments->threads || read_threads(heap, arguments->threads, net, err);
}

static bool write_threads(void *net, FILE *out, Err *err) {
  (void)err;
  net_threads_print(net, out);
  return true;
}

/* ---- the run ---- */

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
  NetFormat format = arguments->tos.formats[arguments->to];
  const bool text = arguments->print_threads;
  if (!text && !arguments->to && !format_of_path(run->out, &format, &run->err)) return false;
  const NetFormat from = arguments->froms.formats[arguments->from];
  Net *net = net_input_read(run->heap, run->in, arguments->from ? &from : NULL, &run->err);
  if (!net) return false;
  net_warn("netconv", run->in, net);
  if (!give_threads(run->heap, arguments, run->in, net, &run->err)) return net_free(net), false;
  run->writes = true;
  const bool good = text ? file_write(run->heap, run->out, write_threads, net, &run->err)
                         : net_write(run->heap, net, format, run->out, &run->err);
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
  const PathUse paths[] = {{NULL, in}, {NULL, arguments->threads}, {"the net", out}};
  if (!paths_differ(tool->heap, paths, sizeof paths / sizeof *paths, &run.err)) {
    tool_complain(tool, &run.err);
    return;
  }
  const StopReason left = work_within_limits(tool, &arguments->work, convert_body, &run);
  if (left != STOP_NOT) work_give_up(tool, left);
  else if (!run.good) tool_complain(tool, &run.err);
  const bool piped = strcmp(out, "-") == 0 && !arguments->print_threads &&
                     (!arguments->to || arguments->tos.formats[arguments->to] != NET_DOT);
  if (tool->exit_code != EXIT_HOLDS && piped && !run.writes) net_pipe_fail(tool);
}

static void complain(Tool *tool, const char *text) {
  Err err;
  err_set(&err, ERR_INPUT, "%s", text);
  tool_complain(tool, &err);
}

static void list(Tool *tool, const OptionList *operands) {
  if (operands->n) complain(tool, "--list goes without IN and OUT");
  else print_formats();
}

static void body(Tool *tool) {
  Arguments arguments = {.froms = choices_of(false), .tos = choices_of(true), .work = work_defaults()}, *a = &arguments;
  const Option options[] = {
      {"from", 'f', OPTIONS_INPUT, OPTION_CHOICE, &a->from, NULL, a->froms.names,
       "format of the input (default: detected from the content)"},
      {"to", 't', OPTIONS_OUTPUT, OPTION_CHOICE, &a->to, NULL, a->tos.names,
       "format of the output (default: taken from its name)"},
      {"list", 'l', OPTIONS_OUTPUT, OPTION_FLAG, &a->list, NULL, NULL, "print the formats, and do nothing else"},
      {"threads", 0, OPTIONS_INPUT, OPTION_TEXT, &a->threads, "FILE", NULL,
       "the places of the net's threads, which become its NUPN units"},
      {"find-threads", 0, OPTIONS_INPUT, OPTION_FLAG, &a->find_threads, NULL, NULL,
       "look for threads among the place invariants; they become its NUPN units"},
      {"print-threads", 0, OPTIONS_OUTPUT, OPTION_FLAG, &a->print_threads, NULL, NULL,
       "write the places of the threads to OUT, for --threads, and no net"},
      LIMIT_OPTIONS(&a->work),
      {"stats", 0, OPTIONS_OUTPUT, OPTION_FLAG, &a->stats, NULL, NULL, "print the net's size on stderr"},
  };
  const Command command = {
      "netconv",
      "IN OUT",
      "Converts a 1-safe Petri net: PNML, ll_net, TINA's .net or TAPAAL's .tapn in; PNML, ll_net or DOT out. '-' is stdin or stdout.",
      "Only PNML keeps units and annotations.\n"
      "Exit codes: 0 done, 2 a limit or Ctrl-C came first, 3 a usage or input error.\n"
      "Example: netconv net.ll_net net.pnml\n",
      options,
      sizeof options / sizeof *options,
      0,
      2};
  OptionList operands;
  if (!tool_options(tool, &command, &operands)) return;
  if (a->find_threads && a->threads) complain(tool, "only one of --threads and --find-threads says the threads");
  else if (a->print_threads && a->to) complain(tool, "--print-threads writes no net, so --to has no use");
  else if (a->list) list(tool, &operands);
  else if (operands.n == 2) run(tool, a, operands.at[0], operands.at[1]);
  else complain(tool, "missing operand; usage: netconv IN OUT");
}

int main(int argc, char **argv) { return tool_main("netconv", argc, argv, body, EXIT_UNKNOWN); }
