/* netconv.c: nets from one format to another. */
#include "base/options.h"
#include "petri/net_io.h"

#include <string.h>

enum { EXIT_GOOD = 0, EXIT_ERROR = 3 };

static const char *const input_formats[] = {"auto", "pnml", "ll_net", NULL};
static const char *const output_formats[] = {"auto", "pnml", "ll_net", "dot", NULL};

typedef struct {
  Heap *heap;
  uint32_t from, to; /* 0: told from the content, or by the name of the output; else a NetFormat + 1 */
  bool stats;
  int exit_code;
  int argc;
  char **argv;
} Application;

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
  return err_set(err, ERR_INPUT, "%s: its format is not clear from its ending (.pnml, .ll_net, .dot); say --to=FORMAT",
                 strcmp(path, "-") == 0 ? "<stdout>" : path);
}

static Net *read_net(Application *application, const char *path, Err *err) {
  InFile file;
  if (!file_read(application->heap, path, &file, err)) return NULL;
  Net *net = application->from ? net_read_as(application->heap, &file, (NetFormat)(application->from - 1), err)
                               : net_read(application->heap, &file, err);
  file_release(application->heap, &file);
  return net;
}

static bool convert(Application *application, const char *in, const char *out, Err *err) {
  NetFormat format = (NetFormat)(application->to - 1);
  if (!application->to && !format_of_path(out, &format, err)) return false;
  Net *net = read_net(application, in, err);
  if (!net) return false;
  const bool good = net_write(application->heap, net, format, out, err);
  if (good && application->stats)
    fprintf(stderr, "places %u, transitions %u, arcs %llu, units %u\n", net->n_places, net->n_trans,
            (unsigned long long)net->n_inputs + net->n_outputs, net->n_units);
  net_free(net);
  return good;
}

static void body(void *argument) {
  Application *a = argument;
  const Option options[] = {
      {"from", 'f', OPTION_CHOICE, &a->from, NULL, input_formats, "format of the input (default: told from the content)"},
      {"to", 't', OPTION_CHOICE, &a->to, NULL, output_formats, "format of the output (default: told from its name)"},
      {"stats", 0, OPTION_FLAG, &a->stats, NULL, NULL, "print the net's size on stderr"},
  };
  const Command command = {"netconv", "IN OUT",
                           "Converts a 1-safe Petri net: PNML or ll_net in; PNML, ll_net or DOT out. '-' is stdin or stdout.",
                           "Units and annotations are kept in PNML alone.\n"
                           "Exit codes: 0 done, 3 a usage or input error.\n"
                           "Example: netconv net.ll_net net.pnml\n",
                           options, sizeof options / sizeof *options, 2, 2};
  OptionList operands;
  const OptionsResult result = options_parse(a->heap, &command, a->argc, a->argv, &operands);
  Err err;
  if (result == OPTIONS_RUN && !convert(a, operands.at[0], operands.at[1], &err)) {
    fprintf(stderr, "netconv: %s\n", err.text);
    a->exit_code = EXIT_ERROR;
  } else if (result == OPTIONS_BAD) {
    a->exit_code = EXIT_ERROR;
  }
}

int main(int argc, char **argv) {
  Application application = {.heap = heap_new(0), .argc = argc, .argv = argv, .exit_code = EXIT_GOOD};
  if (!application.heap || !heap_try(application.heap, body, &application)) {
    fputs("netconv: out of memory\n", stderr);
    application.exit_code = EXIT_ERROR;
  }
  heap_free(application.heap);
  return application.exit_code;
}
