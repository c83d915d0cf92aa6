#include "serial/mentioned.h"

#include "base/bitset.h"

#include <assert.h>

static uint64_t *new_set(Heap *heap, uint32_t n) {
  return heap_zeroed(heap, heap_product(heap, bitset_words(n) + 1, sizeof(uint64_t)));
}

void mentioned_init(Mentioned *mentioned, Heap *heap, uint32_t n_threads, uint32_t n_objects) {
  *mentioned = (Mentioned){.heap = heap, .n_threads = n_threads, .n_objects = n_objects};
  mentioned->threads = new_set(heap, n_threads);
  mentioned->objects = new_set(heap, n_objects);
}

void mentioned_fini(Mentioned *mentioned) {
  heap_release(mentioned->heap, mentioned->threads);
  heap_release(mentioned->heap, mentioned->objects);
}

void mentioned_add_thread(Mentioned *mentioned, uint32_t thread) {
  assert(thread < mentioned->n_threads);
  bitset_add(mentioned->threads, thread);
  mentioned->n++;
}

void mentioned_add_object(Mentioned *mentioned, uint32_t object) {
  assert(object < mentioned->n_objects);
  bitset_add(mentioned->objects, object);
  mentioned->n++;
}

static void add_access(Mentioned *mentioned, const MonitorAccess *access) {
  if (access->object == TRACE_NONE) return;
  switch ((TraceSort)TRACE_SORT[access->op]) {
  case TRACE_ON_VARIABLE:
  case TRACE_ON_LOCK:
  case TRACE_ON_HANDOVER: mentioned_add_object(mentioned, access->object); break;
  case TRACE_ON_THREAD: mentioned_add_thread(mentioned, access->object); break;
  case TRACE_ON_LABEL:
  case TRACE_ON_NOTHING:
  case TRACE_SORTS: break;
  }
}

void mentioned_add_edge(Mentioned *mentioned, const MonitorEdge *edge) {
  add_access(mentioned, &edge->from);
  add_access(mentioned, &edge->to);
}

void mentioned_add_finding(Mentioned *mentioned, const MonitorFinding *finding) {
  for (uint32_t i = 0; i < finding->n; i++) {
    mentioned_add_thread(mentioned, finding->transactions[i].thread);
    if (finding->edges) mentioned_add_edge(mentioned, &finding->edges[i]);
  }
}
