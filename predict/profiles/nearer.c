#include "predict/profiles/nearer.h"

#include <assert.h>

void nearer_init(Nearer *nearer, Heap *heap) { *nearer = (Nearer){.heap = heap}; }

void nearer_fini(Nearer *nearer) {
  vec_fini(nearer->heap, &nearer->all);
  vec_fini(nearer->heap, &nearer->of_object);
}

void nearer_add(Nearer *nearer, const Sought *sought) {
  assert(nearer->n_events == 0);
  Sought it = *sought;
  if (it.object >= nearer->of_object.n) vec_resize_zeroed(nearer->heap, &nearer->of_object, it.object + 1);
  it.found = it.out;
  it.next = nearer->of_object.at[it.object];
  vec_push(nearer->heap, &nearer->all, it);
  nearer->of_object.at[it.object] = nearer->all.n;
  nearer->n_open++;
}

static bool is_like(const Sought *it, const TraceEvent *event) {
  return event->thread == it->thread && event->op != TRACE_FREE && it->write == (event->op != TRACE_READ) &&
         (!it->at_location || event->location == it->location);
}

/* An event about its object, which may be the one. */
static void look(Nearer *nearer, Sought *it, const TraceEvent *event, uint64_t number) {
  const bool open = number <= it->out && !(it->final && it->found < it->out);
  if (!open) return;
  assert(nearer->n_open > 0);
  if (event->op == TRACE_FREE) it->found = it->out;
  else if (number > it->in && it->found == it->out && is_like(it, event)) it->found = number;
  if (number == it->out || (it->final && it->found < it->out)) nearer->n_open--;
}

bool nearer_feed(Nearer *nearer, const TraceEvent *events, uint32_t n) {
  for (uint32_t i = 0; i < n && nearer->n_open; i++, nearer->n_events++) {
    const TraceEvent *event = &events[i];
    if (TRACE_SORT[event->op] != TRACE_ON_VARIABLE || event->object >= nearer->of_object.n) continue;
    for (uint32_t k = nearer->of_object.at[event->object]; k; k = nearer->all.at[k - 1].next)
      look(nearer, &nearer->all.at[k - 1], event, nearer->n_events);
  }
  return nearer->n_open > 0;
}
