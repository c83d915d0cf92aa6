/* Backwards from where a local is read to where it is written, until nothing changes. */
#include "program/live.h"

typedef struct {
  Live *live;
  const Program *program;
  const Flow *flow;
  U32Vec place_of; /* per local: 1 + its place in Live.locals, or 0 */
  uint64_t *scratch;
} Finder;

static uint64_t *set_of(const Finder *f, uint32_t op) { return f->live->sets + (size_t)op * f->live->width; }

static void join(Finder *f, uint32_t op) {
  for (uint32_t w = 0; w < f->live->width; w++) f->scratch[w] |= set_of(f, op)[w];
}

/* What may be asked for once the operation is done. */
static void join_next(Finder *f, const FlowOp *op) {
  if (op->kind == OP_RETURN || op->kind == OP_FAIL) return;
  if (op->kind == OP_SELECT) {
    const uint32_t n = f->program->ops.at[op->op].number;
    for (uint32_t i = 0; i < n; i++) join(f, f->flow->ops.at[op->next + i].next);
    return;
  }
  join(f, op->next);
  if (op->kind == OP_TEST) join(f, op->otherwise);
}

/* Of a range of items that are locals. */
static void mark(Finder *f, uint32_t items, uint32_t n, bool asked) {
  for (uint32_t i = items; i < items + n; i++) {
    const ProgramItem *item = &f->program->items.at[i];
    const uint32_t place = item->kind == ITEM_LOCAL ? f->place_of.at[item->variable] : 0;
    if (!place) continue;
    const uint64_t bit = (uint64_t)1 << (place - 1) % 64;
    if (asked) f->scratch[(place - 1) / 64] |= bit;
    else f->scratch[(place - 1) / 64] &= ~bit;
  }
}

static bool update(Finder *f, uint32_t number) {
  const FlowOp *op = &f->flow->ops.at[number];
  const ProgramOp *source = flow_source(f->flow, f->program, number);
  bool changed = false;
  for (uint32_t w = 0; w < f->live->width; w++) f->scratch[w] = 0;
  join_next(f, op);
  mark(f, source->targets, source->n_targets, false);
  mark(f, source->items, source->n_items, true);
  for (uint32_t w = 0; w < f->live->width; w++) {
    changed |= set_of(f, number)[w] != f->scratch[w];
    set_of(f, number)[w] = f->scratch[w];
  }
  return changed;
}

static void find_locals(Finder *f, uint32_t tracked, uint32_t n) {
  Heap *heap = f->live->heap;
  vec_resize_zeroed(heap, &f->place_of, f->program->locals.n);
  for (uint32_t i = tracked; i < tracked + n; i++) {
    if (!f->program->tracked.at[i].is_brief) continue;
    vec_push(heap, &f->live->locals, i);
    f->place_of.at[f->program->tracked.at[i].local] = f->live->locals.n;
  }
  f->live->width = (f->live->locals.n + 63) / 64;
}

void live_find(Live *live, const Program *program, const Flow *flow, uint32_t tracked, uint32_t n) {
  Finder finder = {.live = live, .program = program, .flow = flow}, *f = &finder;
  *live = (Live){.heap = flow->heap};
  find_locals(f, tracked, n);
  live->sets =
      heap_zeroed(live->heap, heap_product(live->heap, (size_t)live->width * flow->ops.n + 1, sizeof(uint64_t)));
  f->scratch = heap_zeroed(live->heap, heap_product(live->heap, live->width + 1, sizeof(uint64_t)));
  for (bool changed = live->locals.n; changed;) {
    changed = false;
    heap_poll(live->heap);
    for (uint32_t i = flow->ops.n; i-- > 0;) changed |= update(f, i);
  }
  heap_release(live->heap, f->scratch);
  vec_fini(live->heap, &f->place_of);
}

void live_fini(Live *live) {
  heap_release(live->heap, live->sets);
  vec_fini(live->heap, &live->locals);
}
