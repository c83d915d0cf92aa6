#include "program/share.h"

#include <string.h>

static void use_items(const Program *program, uint32_t first, uint32_t n, ShareUse use, uint8_t *uses) {
  for (uint32_t i = first; i < first + n; i++)
    if (program->items.at[i].kind == ITEM_OBJECT) uses[program->items.at[i].variable] |= (uint8_t)use;
}

void share_uses(const Program *program, const Flow *flow, uint8_t *uses) {
  if (program->objects.n) memset(uses, 0, program->objects.n);
  for (uint32_t i = 0; i < flow->ops.n; i++) {
    const ProgramOp *op = flow_source(flow, program, i);
    use_items(program, op->items, op->n_items, USE_READ, uses);
    use_items(program, op->targets, op->n_targets, USE_WRITE, uses);
  }
}

typedef struct {
  uint64_t users;
  bool written;
} Totals;

static Share decide(const ProgramObject *object, Totals totals, Encoding encoding) {
  if (object->kind == PROGRAM_LOCK) return SHARE_LOCK;
  if (object->kind == PROGRAM_DATA) return SHARE_ABSTRACT;
  if (encoding == ENCODING_PAPER) return SHARE_TRACKED;
  if (!totals.written) return SHARE_CONSTANT;
  return totals.users <= 1 ? SHARE_FOLDED : SHARE_TRACKED;
}

void share_decide(const Program *program, const Flow *flows, Encoding encoding, Share *share) {
  Heap *heap = program->heap;
  const uint32_t n = program->objects.n;
  Totals *totals = heap_zeroed(heap, heap_product(heap, n, sizeof *totals));
  uint8_t *uses = heap_alloc(heap, n);
  for (uint32_t t = 0; t < program->threads.n; t++) {
    share_uses(program, &flows[t], uses);
    for (uint32_t i = 0; i < n; i++)
      if (uses[i]) {
        totals[i].users += program->threads.at[t].count;
        totals[i].written |= (uses[i] & USE_WRITE) != 0;
      }
  }
  for (uint32_t i = 0; i < n; i++) share[i] = decide(&program->objects.at[i], totals[i], encoding);
  heap_release(heap, totals);
  heap_release(heap, uses);
}
