#include "tools/notions.h"

bool notion_reading(Heap *heap, const CheckArguments *arguments, BlockInputOptions *options, Err *err) {
  *options = (BlockInputOptions){.chosen = arguments->blocks.at, .n_chosen = arguments->blocks.n};
  return input_blocks(heap, &arguments->input, options, err);
}

/* What is said of programs has no use with a net. */
static bool fits(const Tool *tool, const BlockInput *input, Err *err) {
  static const char *const of_programs[] = {"define", "granularity", "encoding", "warn", NULL};
  const ToolMode net = {!input->is_program, "for a net", of_programs};
  return tool_has_use(tool, &net, 1, err);
}

bool notion_input(const Tool *tool, const CheckArguments *arguments, BlockInput *input, Err *err) {
  BlockInputOptions options;
  return notion_reading(tool->heap, arguments, &options, err) &&
         block_input_read(tool->heap, arguments->path, &options, input, err) && fits(tool, input, err);
}
