#include "frontend/c/dominators.h"

typedef struct {
  Dominators *d;
  U32Vec stack, next; /* blocks on the way, and how many successors of each were gone to */
  U32Vec order;       /* blocks, each behind all that are gone to from it first */
  bool *seen;
} Walk;

static const CBlock *block(const Dominators *d, uint32_t b) { return &d->module->blocks.at[b]; }

static void enter(Walk *w, uint32_t b) {
  w->seen[b] = true;
  vec_push(w->d->module->heap, &w->stack, b);
  vec_push(w->d->module->heap, &w->next, 0);
}

static void walk_from(Walk *w, uint32_t entry) {
  enter(w, entry);
  while (w->stack.n) {
    const uint32_t b = vec_last(&w->stack), k = vec_last(&w->next)++;
    if (k == block(w->d, b)->n_successors) {
      vec_push(w->d->module->heap, &w->order, b);
      w->stack.n--;
      w->next.n--;
    } else {
      const uint32_t to = w->d->module->successors.at[block(w->d, b)->successors + k];
      if (!w->seen[to]) enter(w, to);
    }
  }
}

/* Each block's comings, counted, and then put there. */
static void find_comings(Walk *w) {
  Dominators *d = w->d;
  const uint32_t n = d->module->blocks.n;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t b = 0; b < n; b++)
      for (uint32_t k = 0; w->seen[b] && k < block(d, b)->n_successors; k++) {
        const uint32_t to = d->module->successors.at[block(d, b)->successors + k];
        if (pass) d->at[--d->comings[to]] = b;
        else d->comings[to]++;
      }
    for (uint32_t b = 1; b <= n && !pass; b++) d->comings[b] += d->comings[b - 1];
    if (!pass) d->at = heap_zeroed(d->module->heap, ((size_t)d->comings[n] + 1) * sizeof *d->at);
  }
}

static uint32_t common(const Dominators *d, uint32_t a, uint32_t b) {
  while (a != b) {
    while (d->rank[a] > d->rank[b]) a = d->above[a];
    while (d->rank[b] > d->rank[a]) b = d->above[b];
  }
  return a;
}

static bool improve(Dominators *d, uint32_t b) {
  uint32_t above = C_NONE;
  if (d->above[b] == b) return false;
  for (uint32_t i = d->comings[b]; i < d->comings[b + 1]; i++) {
    if (d->above[d->at[i]] == C_NONE) continue;
    above = above == C_NONE ? d->at[i] : common(d, above, d->at[i]);
  }
  const bool changed = above != d->above[b];
  d->above[b] = above;
  return changed;
}

/* Numbers the tree so that all that is below a block comes behind it, in one piece. `order`: what is below a block
 * comes before it. */
static void number_tree(Dominators *d, const U32Vec *order) {
  Heap *heap = d->module->heap;
  const size_t n = d->module->blocks.n;
  uint32_t roots = 0, *next = heap_zeroed(heap, (n + 1) * sizeof *next);
  d->enter = heap_zeroed(heap, (n + 1) * sizeof *d->enter);
  d->below = heap_zeroed(heap, (n + 1) * sizeof *d->below);
  for (uint32_t i = 0; i < order->n; i++) {
    const uint32_t b = order->at[i], above = d->above[b];
    d->below[b]++;
    if (above != C_NONE && above != b) d->below[above] += d->below[b];
  }
  for (uint32_t i = order->n; i-- > 0;) {
    const uint32_t b = order->at[i], above = d->above[b];
    uint32_t *from = above == C_NONE || above == b ? &roots : &next[above];
    d->enter[b] = *from;
    *from += d->below[b];
    next[b] = d->enter[b] + 1;
  }
  heap_release(heap, next);
}

static void find_heads(Dominators *d) {
  const uint32_t n = d->module->blocks.n;
  d->is_head = heap_zeroed(d->module->heap, (size_t)n + 1);
  for (uint32_t b = 0; b < n; b++)
    for (uint32_t k = d->comings[b]; k < d->comings[b + 1]; k++) d->is_head[b] |= dominators_goes_back(d, d->at[k], b);
}

void dominators_init(Dominators *d, const CModule *module) {
  Heap *heap = module->heap;
  const size_t n = module->blocks.n;
  *d = (Dominators){.module = module};
  d->above = heap_alloc(heap, (n + 1) * sizeof *d->above);
  d->comings = heap_zeroed(heap, (n + 2) * sizeof *d->comings);
  d->rank = heap_zeroed(heap, (n + 1) * sizeof *d->rank);
  for (uint32_t b = 0; b < n; b++) d->above[b] = C_NONE;
  Walk w = {.d = d, .seen = heap_zeroed(heap, n + 1)};
  for (uint32_t f = 0; f < module->functions.n; f++) {
    const CFunction *function = &module->functions.at[f];
    if (function->blocks == function->blocks_end) continue;
    d->above[function->blocks] = function->blocks;
    walk_from(&w, function->blocks);
  }
  for (uint32_t i = 0; i < w.order.n; i++) d->rank[w.order.at[i]] = w.order.n - i;
  find_comings(&w);
  for (bool changed = true; changed;) {
    changed = false;
    heap_poll(heap);
    for (uint32_t i = w.order.n; i-- > 0;) changed |= improve(d, w.order.at[i]);
  }
  number_tree(d, &w.order);
  find_heads(d);
  heap_release(heap, w.seen);
  vec_fini(heap, &w.stack);
  vec_fini(heap, &w.next);
  vec_fini(heap, &w.order);
}

void dominators_fini(Dominators *d) {
  Heap *heap = d->module->heap;
  heap_release(heap, d->above);
  heap_release(heap, d->comings);
  heap_release(heap, d->at);
  heap_release(heap, d->rank);
  heap_release(heap, d->enter);
  heap_release(heap, d->below);
  heap_release(heap, d->is_head);
}

bool dominators_passes(const Dominators *d, uint32_t first, uint32_t second) {
  if (d->above[second] == C_NONE || d->above[first] == C_NONE) return false;
  return d->enter[second] - d->enter[first] < d->below[first]; /* what is less wraps around, and is more */
}

bool dominators_is_before(const Dominators *d, uint32_t first, uint32_t second) {
  const uint32_t a = d->module->instructions.at[first].block, b = d->module->instructions.at[second].block;
  return a == b ? first < second && d->above[a] != C_NONE : dominators_passes(d, a, b);
}
