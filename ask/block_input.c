#include "ask/block_input.h"

#include "base/hash.h"
#include "base/suggest.h"
#include "petri/net_io.h"

#include <stdlib.h>
#include <string.h>

bool block_input_is_of_c(const char *path) {
  static const char *const ENDS[] = {".c", ".cc", ".cpp", ".cxx", ".C", ".bc", ".ll"};
  const char *end = strrchr(path, '.');
  for (size_t i = 0; end && i < sizeof ENDS / sizeof *ENDS; i++)
    if (strcmp(end, ENDS[i]) == 0) return true;
  return false;
}

static bool expect_block(const Net *net, const char *name, const Remedies *remedies, Err *err) {
  if (net->notes && net->notes->n_blocks) return true;
  if (net->notes)
    return err_set(err, ERR_INPUT, "%.300s: no block is marked, so there is nothing to check; in the program, %s%s",
                   name,
                   block_input_is_of_c(net->notes->files[0])
                       ? "write ATOMIC_BEGIN(\"name\") and ATOMIC_END(), or name functions with --atomic=FUNCTION"
                       : "write a block as 'begin ... end'",
                   remedy_words(remedies, REMEDY_NO_BLOCK));
  if (net->n_units)
    return err_set(err, ERR_INPUT, "%s: the net has no annotations about threads and blocks%s", name,
                   remedy_words(remedies, REMEDY_NO_THREADS));
  return err_set(err, ERR_INPUT,
                 "%s: the net has no annotations about threads and blocks, and no NUPN units that could be threads%s",
                 name, remedy_words(remedies, REMEDY_NO_UNITS));
}

static bool add_marks(Net *net, const char *name, bool is_program, const BlockInputOptions *options, Err *err) {
  const BlockMarks *marks = &options->marks;
  const char *units = net->n_units || net->notes ? "" : remedy_words(options->program.sml.remedies, REMEDY_NO_UNITS);
  Err why;
  if (is_program) return err_set(err, ERR_INPUT, "%.300s: a program says itself where its blocks begin and end", name);
  if (!net_add_unit_notes(net, marks, &why)) return err_set(err, why.kind, "%.300s: %s%s", name, why.text, units);
  for (uint32_t t = 0; t < net->n_trans; t++)
    if (net->notes->transitions[t].end != NOTE_NONE &&
        net->notes->transitions[t].end == net->notes->transitions[t].begin)
      return err_set(err, ERR_INPUT, "%.300s: transition '%.200s' begins the block, and cannot end it", name,
                     net->trans_name[t]);
  return true;
}

/* Makes the marks in the net, and looks whether there are any then. */
static bool mark_blocks(Net *net, const char *name, bool is_program, const BlockInputOptions *options, Err *err) {
  const BlockMarks *marks = &options->marks;
  const bool passes = options->program.sml.unmarked == SML_UNMARKED_PASSES;
  const bool bare = !net->notes && net->n_units && passes;
  if ((marks->n_begins || marks->n_ends || bare) && !add_marks(net, name, is_program, options, err)) return false;
  return (passes && net->notes) || expect_block(net, name, options->program.sml.remedies, err);
}

static Net *read_text(Heap *heap, const InFile *file, const BlockInputOptions *options, Err *err) {
  const bool passes = options->program.sml.unmarked == SML_UNMARKED_PASSES;
  if (!passes && !program_input_expect(file, "a program or a net", err)) return NULL;
  if (sml_recognise(file->text, file->length)) return program_input_compile(heap, file, &options->program, err);
  return net_read(heap, file, err);
}

static bool block_matches(const NoteBlock *block, const char *wanted) {
  if (block->name && strcmp(block->name, wanted) == 0) return true;
  char *end;
  const unsigned long line = strtoul(wanted, &end, 10);
  return *wanted >= '0' && *wanted <= '9' && !*end && line == block->begin.line;
}

static bool no_such_block(const Net *net, const char *wanted, Err *err) {
  Suggestion meant = suggest_for(wanted);
  for (uint32_t b = 0; net->notes && b < net->notes->n_blocks; b++)
    if (net->notes->blocks[b].name) suggest_offer(&meant, net->notes->blocks[b].name);
  return err_set(err, ERR_INPUT, "no marked block has the name '%.100s' or begins on that line%s", wanted,
                 suggest_words(&meant));
}

bool block_input_choose(const Net *net, const char *wanted, bool *chosen, Err *err) {
  bool any = false;
  for (uint32_t b = 0; net->notes && b < net->notes->n_blocks; b++) {
    if (!block_matches(&net->notes->blocks[b], wanted)) continue;
    any = chosen[b] = true;
  }
  return any || no_such_block(net, wanted, err);
}

/* Every `shares`-th one, so that shares are as large as each other, and like each other. */
static void keep_share(const BlockInputOptions *options, bool *chosen, uint32_t n) {
  uint64_t number = 0; /* of the chosen one, from 0 */
  for (uint32_t b = 0; b < n; b++)
    if (chosen[b]) chosen[b] = number++ % options->shares == options->share - 1;
}

static bool choose_blocks(Heap *heap, const Net *net, const BlockInputOptions *options, const bool **chosen, Err *err) {
  const uint32_t n = net->notes ? net->notes->n_blocks : 0;
  *chosen = NULL;
  if (!options->n_chosen && !options->shares) return true;
  bool *result = heap_zeroed(heap, (size_t)n + 1);
  *chosen = result;
  if (!options->n_chosen) memset(result, true, n);
  for (uint32_t i = 0; i < options->n_chosen; i++)
    if (!block_input_choose(net, options->chosen[i], result, err)) return false;
  if (options->shares) keep_share(options, result, n);
  return true;
}

bool block_input_of_net(Heap *heap, Net *net, const char *name, const BlockInputOptions *options, BlockInput *input,
                        Err *err) {
  const bool good = net_check_presets(net, name, err) && mark_blocks(net, name, input->is_program, options, err) &&
                    choose_blocks(heap, net, options, &input->blocks, err);
  if (!good) return net_free(net), false;
  input->net = net;
  return true;
}

bool block_input_of_text(Heap *heap, const InFile *file, const BlockInputOptions *options, BlockInput *input,
                         Err *err) {
  Net *net = read_text(heap, file, options, err);
  input->is_program = sml_recognise(file->text, file->length);
  input->hash = hash_bytes(file->text, file->length);
  return net && block_input_of_net(heap, net, file->name, options, input, err);
}

bool block_input_read(Heap *heap, const char *path, const BlockInputOptions *options, BlockInput *input, Err *err) {
  InFile file;
  if (!file_read(heap, path, &file, err)) return false;
  const bool good = block_input_of_text(heap, &file, options, input, err);
  file_release(heap, &file);
  return good;
}
