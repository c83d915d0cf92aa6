#include "tools/input_options.h"

#include "tools/remedies.h"
#include "tools/work.h"

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

static SmlDefine *parse_defines(Heap *heap, const OptionList *list, Err *err) {
  SmlDefine *defines = heap_alloc(heap, ((size_t)list->n + 1) * sizeof *defines);
  for (uint32_t i = 0; i < list->n; i++)
    if (!program_input_define(heap, list->at[i], &defines[i]))
      return err_set(err, ERR_INPUT, "expected -D NAME=NUMBER, not '%.100s'", list->at[i]), NULL;
  return defines;
}

static void hear_diag(const void *argument, const Diag *diag) {
  const InputOptions *options = argument;
  diag_print(diag, stderr, input_wants_colour(options, stderr));
  if (options->inputs) inputs_add(options->inputs, diag);
}

bool input_program(Heap *heap, const InputOptions *options, ProgramOptions *program, Err *err) {
  const SmlDefine *defines = parse_defines(heap, &options->defines, err);
  const SmlOptions sml = {.granularity = options->granularity,
                          .encoding = options->encoding,
                          .defines = defines,
                          .n_defines = options->defines.n,
                          .unmarked = options->unmarked,
                          .remedies = &TOOL_REMEDIES};
  *program = (ProgramOptions){sml, options->warnings.at, options->warnings.n, hear_diag, options};
  return defines;
}

bool input_blocks(Heap *heap, const InputOptions *options, BlockInputOptions *blocks, Err *err) {
  blocks->marks = (BlockMarks){options->begins.at, options->begins.n, options->ends.at, options->ends.n};
  return input_program(heap, options, &blocks->program, err);
}

bool input_suppressions(Heap *heap, const char *path, Suppressions *suppressions, Err *err) {
  *suppressions = (Suppressions){0};
  if (path && strcmp(path, "-") == 0) return err_set(err, ERR_INPUT, "--suppress expects a file, not stdin");
  return !path || suppressions_read(heap, path, suppressions, err);
}

static void warn_unused(const char *tool, const char *run, const Suppressions *suppressions) {
  for (uint32_t i = 0; i < suppressions->all.n; i++) {
    const Suppression *entry = &suppressions->all.at[i];
    if (!entry->used)
      fprintf(stderr, "%s: %s:%u:%u: warning: '%s: %s' matches nothing in %s\n", tool, suppressions->name, entry->line,
              entry->column, suppressions_kind(entry->kind), entry->pattern, run);
  }
}

void input_warn_run(const char *tool, const char *run, const RunRemarks *remarks, const Suppressions *suppressions) {
  const unsigned long long skipped = remarks->skipped;
  if (skipped) fprintf(stderr, "%s: %s: warning: %llu line%s skipped\n", tool, run, skipped, skipped > 1 ? "s" : "");
  if (remarks->cut_short)
    fprintf(stderr, "%s: %s: warning: the log is truncated; the part that is present was analysed\n", tool, run);
  if (remarks->part.late) fprintf(stderr, "%s: %s: warning: the log begins in the middle of the run\n", tool, run);
  if (*remarks->part.what)
    fprintf(stderr, "%s: %s: warning: only a part of the run was recorded: %s\n", tool, run, remarks->part.what);
  if (remarks->missing[0]) fprintf(stderr, "%s: %s: warning: %s\n", tool, run, remarks->missing);
  if (remarks->whole) warn_unused(tool, run, suppressions);
}
