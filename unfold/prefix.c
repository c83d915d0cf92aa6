#include "unfold/unfold.h"

void prefix_free(Prefix *prefix) {
  if (!prefix) return;
  Heap *heap = prefix->heap;
  heap_release(heap, prefix->event_trans);
  heap_release(heap, prefix->pre_start);
  heap_release(heap, prefix->pre);
  heap_release(heap, prefix->post_start);
  heap_release(heap, prefix->condition_place);
  heap_release(heap, prefix->producer);
  heap_release(heap, prefix->corresponding);
  heap_release(heap, prefix->is_cutoff);
  heap_release(heap, prefix->target_covered);
  heap_release(heap, prefix->target_event);
  heap_release(heap, prefix->unsafe_run);
  heap_release(heap, prefix);
}

uint32_t prefix_local_run(const Prefix *prefix, EventId e, TransId *run) {
  bool *inside = heap_zeroed(prefix->heap, (size_t)e.v + 1);
  uint32_t n = 0;
  inside[e.v] = true;
  for (uint32_t x = e.v + 1; x-- > 0;) {
    if (!inside[x]) continue;
    n++;
    for (uint32_t i = prefix->pre_start[x]; i < prefix->pre_start[x + 1]; i++) {
      const EventId producer = prefix->producer[prefix->pre[i].v];
      if (producer.v != EVENT_NONE.v) inside[producer.v] = true;
    }
  }
  for (uint32_t x = 0, i = 0; run && x <= e.v; x++)
    if (inside[x]) run[i++] = prefix->event_trans[x];
  heap_release(prefix->heap, inside);
  return n;
}
