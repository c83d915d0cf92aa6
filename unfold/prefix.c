#include "unfold/unfold.h"

#include <stdio.h>

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

bool prefix_find_place(const Prefix *prefix, PlaceId place, ConditionId *condition) {
  for (uint32_t c = 0; c < prefix->n_conditions; c++) {
    if (prefix->condition_place[c].v != place.v) continue;
    *condition = (ConditionId){c};
    return true;
  }
  return false;
}

EventId prefix_find_trans(const Prefix *prefix, TransId trans) {
  for (uint32_t e = 0; e < prefix->n_events; e++)
    if (prefix->event_trans[e].v == trans.v) return (EventId){e};
  return EVENT_NONE;
}

void prefix_explain(const Prefix *prefix, char *text, size_t room) {
  const uint64_t events = prefix->counts.events;
  text[0] = '\0';
  if (prefix->status == UNFOLD_LIMIT) heap_explain_limit(events, "events", text, room);
  else if (prefix->status == UNFOLD_CANCELLED)
    heap_explain_after(prefix->heap, heap_asked(prefix->heap), events, "events", text, room);
}
