#include "unfold/branch.h"

#include <assert.h>
#include <stdlib.h>

static void add_conditions(Branch *branch, uint32_t n) {
  vec_reserve(branch->heap, &branch->conditions, n);
  for (uint32_t i = 0; i < n; i++) branch->conditions.at[branch->conditions.n++] = (Condition){NONE, NONE};
}

void branch_init(Branch *branch, Heap *heap, const Net *net) {
  *branch = (Branch){.heap = heap, .net = net};
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->marked[p]) add_conditions(branch, 1);
  vec_push(heap, &branch->exts, ((Ext){.trans = NONE, .parent = NONE, .fate = EXT_LIVE, .next = NONE}));
}

void branch_fini(Branch *branch) {
  vec_fini(branch->heap, &branch->exts);
  vec_fini(branch->heap, &branch->pool);
  vec_fini(branch->heap, &branch->events);
  vec_fini(branch->heap, &branch->epoch);
  vec_fini(branch->heap, &branch->next);
  vec_fini(branch->heap, &branch->conditions);
  vec_fini(branch->heap, &branch->order);
}

uint32_t branch_depth(const Branch *branch, uint32_t trans, uint32_t pre) {
  const Input *inputs = branch_pre(branch, pre);
  uint32_t depth = 0;
  for (uint32_t i = net_pre(branch->net, (TransId){trans}).n; i-- > 0;) {
    const uint32_t producer = inputs[i].producer;
    if (producer != NONE && branch->events.at[producer].depth > depth) depth = branch->events.at[producer].depth;
  }
  return depth + 1;
}

uint32_t branch_add_event(Branch *branch, uint32_t ext, uint32_t size) {
  const Ext from = branch->exts.at[ext];
  const uint32_t e = branch->events.n;
  Condition *const watched = &branch->conditions.at[branch->pool.at[from.pre].condition];
  vec_push(branch->heap, &branch->events,
           ((Event){.trans = from.trans,
                    .pre = from.pre,
                    .post = branch->conditions.n,
                    .parent = from.parent,
                    .ext = ext,
                    .size = size,
                    .depth = branch_depth(branch, from.trans, from.pre)}));
  vec_push(branch->heap, &branch->epoch, 0);
  vec_push(branch->heap, &branch->next, watched->watchers);
  watched->watchers = e;
  add_conditions(branch, net_post(branch->net, (TransId){from.trans}).n);
  branch->exts.at[ext].fate = EXT_LIVE;
  return e;
}

static int compare_numbers(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

void branch_past(const Branch *branch, const uint32_t *of, uint32_t n, U32Vec *events) {
  Heap *heap = branch->heap;
  bool *seen = heap_zeroed(heap, branch->events.n);
  const uint32_t from = events->n;
  for (uint32_t i = 0; i < n; i++)
    if (!seen[of[i]]) seen[of[i]] = true, vec_push(heap, events, of[i]);
  for (uint32_t at = from; at < events->n; at++) {
    const Event *event = &branch->events.at[events->at[at]];
    const Input *inputs = branch_pre(branch, event->pre);
    for (uint32_t i = net_pre(branch->net, (TransId){event->trans}).n; i-- > 0;) {
      const uint32_t producer = inputs[i].producer;
      if (producer == NONE || seen[producer]) continue;
      seen[producer] = true;
      vec_push(heap, events, producer);
    }
  }
  heap_release(heap, seen);
  if (events->n > from) qsort(events->at + from, events->n - from, sizeof *events->at, compare_numbers);
}
