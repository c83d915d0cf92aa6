#include "petri/starters.h"

#include <assert.h>

typedef struct {
  Heap *heap;
  const Net *net;
  bool *is_in;  /* per thread */
  U32Vec queue; /* those that are in */
} Starters;

static void take(Starters *s, uint32_t thread) {
  if (thread == NOTE_NONE || s->is_in[thread]) return;
  s->is_in[thread] = true;
  vec_push(s->heap, &s->queue, thread);
}

/* Who makes what the transition takes and is not there at the start. */
static void need(Starters *s, TransId t) {
  const PlaceList pre = net_pre(s->net, t);
  for (uint32_t i = 0; i < pre.n; i++) {
    if (s->net->marked[pre.at[i].v]) continue;
    const TransList makers = net_producers(s->net, pre.at[i]);
    for (uint32_t k = 0; k < makers.n; k++) take(s, s->net->notes->transitions[makers.at[k].v].thread);
  }
}

/* The first steps of a thread: those that take its control token where it is at the start. */
static void need_all(Starters *s, uint32_t thread) {
  for (uint32_t p = 0; p < s->net->n_places; p++) {
    const PlaceNote *note = &s->net->notes->places[p];
    if (!s->net->marked[p] || note->role != ROLE_CONTROL || note->thread != thread) continue;
    const TransList first = net_consumers(s->net, (PlaceId){p});
    for (uint32_t i = 0; i < first.n; i++) need(s, first.at[i]);
  }
}

U32Vec starters_with(Heap *heap, const Net *net, const uint32_t *threads, uint32_t n) {
  Starters s = {.heap = heap, .net = net, .is_in = heap_zeroed(heap, (size_t)net->notes->n_threads + 1)};
  U32Vec all = {0};
  for (uint32_t i = 0; i < n; i++) {
    assert(threads[i] < net->notes->n_threads);
    take(&s, threads[i]);
  }
  for (uint32_t i = 0; i < s.queue.n; i++) need_all(&s, s.queue.at[i]);
  for (uint32_t t = 0; t < net->notes->n_threads; t++)
    if (s.is_in[t]) vec_push(heap, &all, t);
  vec_fini(heap, &s.queue);
  heap_release(heap, s.is_in);
  return all;
}
