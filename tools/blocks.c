#include "tools/notions.h"

bool notion_input(Heap *heap, const CheckArguments *arguments, BlockInput *input, Err *err) {
  BlockInputOptions options = {.block = arguments->block};
  return input_blocks(heap, &arguments->input, &options, err) &&
         block_input_read(heap, arguments->path, &options, input, err);
}
