/* sml2net: compiles an SML program to a net. */
#include "petri/net_io.h"
#include "tools/input.h"

enum { EXIT_GOOD = 0, EXIT_ERROR = 3 };

/* In the order of NetFormat. */
static const char *const FORMATS[] = {"pnml", "ll_net", "dot", NULL};

typedef struct {
  InputOptions input;
  const char *output;
  uint32_t format; /* a NetFormat */
  bool stats;
} Arguments;

typedef struct {
  Heap *heap;
  Arguments arguments;
  int exit_code;
  int argc;
  char **argv;
} Application;

static void print_stats(const Net *net) {
  fprintf(stderr, "threads %u, blocks %u, places %u, transitions %u, arcs %llu\n", net->notes ? net->notes->n_threads : 0,
          net->notes ? net->notes->n_blocks : 0, net->n_places, net->n_trans,
          (unsigned long long)net->n_inputs + net->n_outputs);
}

static bool convert(Application *application, const InFile *file, Err *err) {
  const Arguments *arguments = &application->arguments;
  Net *net = input_compile(application->heap, file, &arguments->input, err);
  if (!net) return false;
  const char *path = arguments->output ? arguments->output : "-";
  const bool good = net_write(application->heap, net, arguments->format, path, err);
  if (good && arguments->stats) print_stats(net);
  net_free(net);
  return good;
}

static void run(Application *application, const char *path) {
  Err err;
  InFile file;
  bool good = file_read(application->heap, path, &file, &err);
  if (good) {
    good = convert(application, &file, &err);
    file_release(application->heap, &file);
  }
  if (good) return;
  if (err.text[0]) fprintf(stderr, "sml2net: %s\n", err.text);
  application->exit_code = EXIT_ERROR;
}

static void body(void *argument) {
  Application *application = argument;
  Arguments *a = &application->arguments;
  const Option options[] = {
      INPUT_SML_OPTIONS(&a->input),
      {"format", 'f', OPTION_CHOICE, &a->format, NULL, FORMATS, "of the net (default pnml)"},
      {"output", 'o', OPTION_TEXT, &a->output, "FILE", NULL, "write the net there, not on stdout"},
      {"stats", 0, OPTION_FLAG, &a->stats, NULL, NULL, "print the net's size on stderr"},
  };
  const Command command = {"sml2net", "[FILE|-]",
                           "Compiles a program in SML, a small multithreaded language, to a 1-safe Petri net with annotations.",
                           "Warnings, all on: undeclared, unused-lock, unused-define, unreached-block, unmarked,\n"
                           "held-acquire, unheld-release, modulo-wrap, division-by-zero.\n"
                           "Exit codes: 0 done, 3 a usage or input error; nothing is written after an error.\n"
                           "Example: sml2net -D N=3 samples/acquire1.sml | causalcheck\n",
                           options, sizeof options / sizeof *options, 0, 1};
  OptionList operands;
  const OptionsResult result = options_parse(application->heap, &command, application->argc, application->argv, &operands);
  if (result == OPTIONS_RUN)
    run(application, operands.n ? operands.at[0] : "-");
  else
    application->exit_code = result == OPTIONS_DONE ? EXIT_GOOD : EXIT_ERROR;
}

int main(int argc, char **argv) {
  Application application = {.heap = heap_new(0), .argc = argc, .argv = argv};
  if (!application.heap || !heap_try(application.heap, body, &application)) {
    fputs("sml2net: out of memory\n", stderr);
    application.exit_code = EXIT_ERROR;
  }
  heap_free(application.heap);
  return application.exit_code;
}
