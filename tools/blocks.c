#include "tools/notions.h"

#include "base/suggest.h"

#include <stdlib.h>
#include <string.h>

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
  return err_set(err, ERR_INPUT, "no marked block has the name or begins on the line '%.100s'%s", wanted,
                 suggest_words(&meant));
}

static bool choose_blocks(Heap *heap, const Net *net, const char *wanted, const bool **chosen, Err *err) {
  *chosen = NULL;
  if (!wanted) return true;
  const uint32_t n = net->notes ? net->notes->n_blocks : 0;
  bool *result = heap_zeroed(heap, (size_t)n + 1), any = false;
  for (uint32_t b = 0; b < n; b++) any |= result[b] = block_matches(&net->notes->blocks[b], wanted);
  *chosen = result;
  return any || no_such_block(net, wanted, err);
}

bool check_input(Heap *heap, const CheckArguments *arguments, CheckInput *input, Err *err) {
  NetInputOptions options;
  if (!input_net(heap, &arguments->input, &options, err)) return false;
  Net *net = net_input_read(heap, arguments->path, &options, err);
  if (!net) return false;
  input->net = net;
  return choose_blocks(heap, net, arguments->block, &input->blocks, err);
}
