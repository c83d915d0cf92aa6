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
