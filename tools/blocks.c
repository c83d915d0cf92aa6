#include "tools/notions.h"

bool notion_reading(Heap *heap, const CheckArguments *arguments, BlockInputOptions *options, Err *err) {
  *options = (BlockInputOptions){.block = arguments->block};
  return input_blocks(heap, &arguments->input, options, err);
}

bool notion_input(Heap *heap, const CheckArguments *arguments, BlockInput *input, Err *err) {
  BlockInputOptions options;
  return notion_reading(heap, arguments, &options, err) &&
         block_input_read(heap, arguments->path, &options, input, err);
}
