#include "tools/input.h"

#include "base/text.h"
#include "petri/net_io.h"
#include "petri/unit_notes.h"
#include "tools/work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const INPUT_GRANULARITIES[] = {"statement", "access", NULL};
const char *const INPUT_ENCODINGS[] = {"compact", "paper", NULL};
const char *const INPUT_COLOURS[] = {"auto", "always", "never", NULL};

enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

bool input_wants_colour(const InputOptions *options, FILE *stream) {
  if (options->colour != COLOUR_AUTO) return options->colour == COLOUR_ALWAYS;
  const char *no_color = getenv("NO_COLOR");
  return (!no_color || !*no_color) && work_is_terminal(fileno(stream));
}

/* "NAME=N" */
static bool parse_define(Heap *heap, const char *text, SmlDefine *define, Err *err) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || equals[1] < '0' || equals[1] > '9')
    return err_set(err, ERR_INPUT, "-D wants NAME=NUMBER, not '%.100s'", text);
  char *end;
  errno = 0;
  define->value = strtoull(equals + 1, &end, 10);
  if (*end || errno) return err_set(err, ERR_INPUT, "-D wants NAME=NUMBER, not '%.100s'", text);
  char *name = heap_alloc(heap, (size_t)(equals - text) + 1);
  memcpy(name, text, (size_t)(equals - text));
  name[equals - text] = '\0';
  define->name = name;
  return true;
}

static SmlDefine *parse_defines(Heap *heap, const OptionList *list, Err *err) {
  SmlDefine *defines = heap_alloc(heap, ((size_t)list->n + 1) * sizeof *defines);
  for (uint32_t i = 0; i < list->n; i++)
    if (!parse_define(heap, list->at[i], &defines[i], err)) return NULL;
  return defines;
}

bool input_sml_options(Heap *heap, const InputOptions *options, SmlOptions *sml, Diag *diag, Err *err) {
  if (text_is_binary(diag->text, diag->length))
    return err_set(err, ERR_INPUT, "%s: a binary file; a program was expected, which is text", diag->file);
  const SmlDefine *defines = parse_defines(heap, &options->defines, err);
  *sml = (SmlOptions){.granularity = options->granularity, .encoding = options->encoding, .defines = defines,
                      .n_defines = options->defines.n, .abstract_data = options->abstract_data, .unmarked = options->unmarked};
  return defines && diag_switch(diag, SML_WARNINGS, options->warnings.at, options->warnings.n, err);
}

Net *input_compile(Heap *heap, const InFile *file, const InputOptions *options, Err *err) {
  SmlOptions sml;
  Diag diag;
  diag_init(&diag, heap, file->name, file->text, file->length);
  Net *net = NULL;
  if (input_sml_options(heap, options, &sml, &diag, err)) {
    net = sml_compile(heap, &sml, &diag);
    err->kind = ERR_INPUT;
    err->text[0] = '\0';
    diag_print(&diag, stderr, input_wants_colour(options, stderr));
  }
  diag_fini(&diag);
  return net;
}

bool input_expect(const InFile *file, const char *what, Err *err) {
  return strspn(file->text, " \t\r\n") < file->length || err_set(err, ERR_INPUT, "%s: empty; %s was expected", file->name, what);
}

static bool expect_block(const Net *net, const char *name, Err *err) {
  if (net->notes && net->notes->n_blocks) return true;
  if (net->notes)
    return err_set(err, ERR_INPUT,
                   "%s: no block is marked, so there is nothing to check; in the program a block is written 'begin ... end' "
                   "(--allow-empty: this is no error)", name);
  return err_set(err, ERR_INPUT, "%s: the net says nothing about threads and blocks%s", name,
                 net->n_units ? "; with its NUPN units as threads, --begin=TRANSITION marks a block, and --end=TRANSITION ends it"
                              : ", and has no NUPN units that could be threads");
}

/* The marks that the options make in a net, and whether there are any then. */
static bool mark_blocks(Net *net, const char *name, const InputOptions *options, Err *err) {
  const BlockMarks marks = {options->begins.at, options->begins.n, options->ends.at, options->ends.n};
  const bool bare = !net->notes && net->n_units && options->unmarked == SML_UNMARKED_PASSES;
  if ((marks.n_begins || marks.n_ends || bare) && !net_add_unit_notes(net, &marks, err)) return false;
  return (options->unmarked == SML_UNMARKED_PASSES && net->notes) || expect_block(net, name, err);
}

Net *input_read_net(Heap *heap, const char *path, const InputOptions *options, Err *err) {
  InFile file;
  if (!file_read(heap, path, &file, err)) return NULL;
  Net *net = NULL;
  if (options->unmarked != SML_UNMARKED_PASSES && !input_expect(&file, "a program or a net", err)) net = NULL;
  else if (sml_recognise(file.text, file.length))
    net = input_compile(heap, &file, options, err);
  else
    net = net_read(heap, &file, err);
  if (net && !(net_check_presets(net, file.name, err) && mark_blocks(net, file.name, options, err))) {
    net_free(net);
    net = NULL;
  }
  file_release(heap, &file);
  return net;
}
