/* That the parts may follow each other so: what a step without taint depends on has none; what a blue one depends on is
 * blue or has none, because an event of T that takes something yellow is e2. Not so if paint does not pass by locks:
 * then the parts take turns. */
#include "check/reorder.h"

typedef struct {
  const Replay *replay;
  const Taint *taints;
  uint32_t *next; /* per step: the next one of the same thread, or n_steps */
  bool *placed;   /* per step */
  uint32_t *order, n;
} Ordering;

static void link_threads(Ordering *ordering, Heap *heap, const uint32_t *threads) {
  const uint32_t n = ordering->replay->n_steps;
  uint32_t n_threads = 0;
  for (uint32_t i = 0; i < n; i++)
    if (threads[i] != NOTE_NONE && threads[i] >= n_threads) n_threads = threads[i] + 1;
  uint32_t *following = heap_alloc(heap, heap_product(heap, n_threads, sizeof *following));
  for (uint32_t t = 0; t < n_threads; t++) following[t] = n;
  for (uint32_t i = n; i-- > 0;) {
    ordering->next[i] = threads[i] == NOTE_NONE ? n : following[threads[i]];
    if (threads[i] != NOTE_NONE) following[threads[i]] = i;
  }
  heap_release(heap, following);
}

static bool ready(const Ordering *ordering, uint32_t step) {
  const CauseList causes = replay_causes(ordering->replay, step);
  for (uint32_t k = 0; k < causes.n; k++)
    if (!ordering->placed[causes.at[k].from]) return false;
  return true;
}

/* Places the step, which is ready, and what its thread can do after it in the same part. */
static void place_from(Ordering *ordering, uint32_t step) {
  const uint32_t n = ordering->replay->n_steps;
  const Taint part = ordering->taints[step];
  for (; step < n && ordering->taints[step] == part && ready(ordering, step); step = ordering->next[step]) {
    ordering->placed[step] = true;
    ordering->order[ordering->n++] = step;
  }
}

void reorder_steps(Heap *heap, const Replay *replay, const uint32_t *threads, const Taint *taints, uint32_t *order) {
  const uint32_t n = replay->n_steps;
  Ordering ordering = {.replay = replay, .taints = taints, .order = order};
  ordering.next = heap_alloc(heap, heap_product(heap, n, sizeof *ordering.next));
  ordering.placed = heap_zeroed(heap, n);
  link_threads(&ordering, heap, threads);
  while (ordering.n < n)
    for (Taint part = TAINT_NONE; part <= TAINT_RED; part++)
      for (uint32_t i = 0; i < n; i++)
        if (taints[i] == part && !ordering.placed[i]) place_from(&ordering, i);
  heap_release(heap, ordering.next);
  heap_release(heap, ordering.placed);
}
