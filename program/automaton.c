#include "program/automaton.h"

void automaton_init(Automaton *automaton, Heap *heap) { *automaton = (Automaton){.heap = heap}; }

void automaton_fini(Automaton *automaton) {
  Heap *heap = automaton->heap;
  vec_fini(heap, &automaton->slots);
  vec_fini(heap, &automaton->states);
  vec_fini(heap, &automaton->values);
  vec_fini(heap, &automaton->edges);
  vec_fini(heap, &automaton->touches);
  vec_fini(heap, &automaton->accesses);
}

uint32_t *automaton_edges_of(const Automaton *automaton) {
  const Automaton *a = automaton;
  uint32_t *edges_of = heap_zeroed(a->heap, heap_product(a->heap, (uint64_t)a->states.n + 1, sizeof *edges_of));
  for (uint32_t i = 0; i < a->edges.n; i++) edges_of[a->edges.at[i].from + 1]++;
  for (uint32_t s = 0; s < a->states.n; s++) edges_of[s + 1] += edges_of[s];
  return edges_of;
}
