#include "tools/c_program.h"
#include "tools/notions.h"

bool notion_reading(Heap *heap, const CheckArguments *arguments, BlockInputOptions *options, Err *err) {
  const ReportFile *file = arguments->output.file;
  *options = (BlockInputOptions){.chosen = arguments->blocks.at, .n_chosen = arguments->blocks.n};
  if (file) options->share = file->share, options->shares = file->shares;
  return input_blocks(heap, &arguments->input, options, err);
}

/* What is said of programs has no use with a net. */
static bool fits(const Tool *tool, const BlockInput *input, Err *err) {
  static const char *const of_programs[] = {"define", "granularity", "encoding", "warn", NULL};
  const ToolMode net = {!input->is_program, "for a net", of_programs};
  return tool_has_use(tool, &net, 1, err);
}

static bool read_c(Heap *heap, const CheckArguments *arguments, const BlockInputOptions *options, BlockInput *input,
                   Err *err) {
  const CProgramOptions c = {arguments->atomic, arguments->functions, arguments->output.verbose};
  InFile file;
  return c_program_read(heap, arguments->path, &c, &file, err) &&
         block_input_of_text(heap, &file, options, input, err);
}

/* Macros are clang's; it is said before the program is compiled. */
static bool fits_c(const Tool *tool, const char *path, Err *err) {
  static const char *const of_c[] = {"atomic", "functions", NULL};
  const ToolMode other = {!c_program_is(path), "but for a C program's own file", of_c};
  if (!tool_has_use(tool, &other, 1, err)) return false;
  if (!c_program_is(path) || !tool_was_given(tool, "define")) return true;
  return err_set(err, ERR_INPUT,
                 "--define is for SML programs; a macro of C is defined by 'c2net %.300s -- -DNAME=N | causalcheck'",
                 path);
}

bool notion_input(const Tool *tool, const CheckArguments *arguments, BlockInput *input, Err *err) {
  BlockInputOptions options;
  const char *path = arguments->path;
  if (!fits_c(tool, path, err) || !notion_reading(tool->heap, arguments, &options, err)) return false;
  const bool good = c_program_is(path) ? read_c(tool->heap, arguments, &options, input, err)
                                       : block_input_read(tool->heap, path, &options, input, err);
  return good && fits(tool, input, err);
}
