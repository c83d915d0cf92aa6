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

static Share decide(const ProgramObject *object, uint64_t users, uint64_t writers, Encoding encoding) {
  if (object->kind == PROGRAM_LOCK) return SHARE_LOCK;
  if (object->kind == PROGRAM_DATA) return SHARE_ABSTRACT;
  if (encoding == ENCODING_PAPER) return SHARE_TRACKED;
  if (!writers) return SHARE_CONSTANT;
  return users <= 1 ? SHARE_FOLDED : SHARE_TRACKED;
}

void share_decide(const Program *program, const Flow *flows, Encoding encoding, Share *share, uint64_t *writers) {
  Heap *heap = program->heap;
  const uint32_t n = program->objects.n;
  uint64_t *users = heap_zeroed(heap, heap_product(heap, n, sizeof *users));
  uint8_t *uses = heap_alloc(heap, n);
  for (uint32_t t = 0; t < program->threads.n; t++) {
    share_uses(program, &flows[t], uses);
    for (uint32_t i = 0; i < n; i++) {
      users[i] += uses[i] ? program->threads.at[t].count : 0;
      writers[i] += uses[i] & USE_WRITE ? program->threads.at[t].count : 0;
    }
  }
  for (uint32_t i = 0; i < n; i++) share[i] = decide(&program->objects.at[i], users[i], writers[i], encoding);
  heap_release(heap, users);
  heap_release(heap, uses);
}
