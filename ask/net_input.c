#include "ask/net_input.h"

#include "petri/net_io.h"

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

/* Makes the marks in the net, and looks whether there are any then. */
static bool mark_blocks(Net *net, const char *name, const NetInputOptions *options, Err *err) {
  const BlockMarks *marks = &options->marks;
  const bool passes = options->program.sml.unmarked == SML_UNMARKED_PASSES;
  const bool bare = !net->notes && net->n_units && passes;
  if ((marks->n_begins || marks->n_ends || bare) && !net_add_unit_notes(net, marks, err)) return false;
  return (passes && net->notes) || expect_block(net, name, err);
}

static Net *read_text(Heap *heap, const InFile *file, const NetInputOptions *options, Err *err) {
  const bool passes = options->program.sml.unmarked == SML_UNMARKED_PASSES;
  if (!passes && !program_input_expect(file, "a program or a net", err)) return NULL;
  if (sml_recognise(file->text, file->length)) return program_input_compile(heap, file, &options->program, err);
  return net_read(heap, file, err);
}

Net *net_input_read(Heap *heap, const char *path, const NetInputOptions *options, Err *err) {
  InFile file;
  if (!file_read(heap, path, &file, err)) return NULL;
  Net *net = read_text(heap, &file, options, err);
  if (net && !(net_check_presets(net, file.name, err) && mark_blocks(net, file.name, options, err))) {
    net_free(net);
    net = NULL;
  }
  file_release(heap, &file);
  return net;
}
