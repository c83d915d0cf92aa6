#include "frontend/sml/symbols.h"

void symbols_init(Symbols *symbols, Heap *heap) { *symbols = (Symbols){.heap = heap}; }

void symbols_fini(Symbols *symbols) {
  vec_fini(symbols->heap, &symbols->global_of);
  vec_fini(symbols->heap, &symbols->proc_of);
  vec_fini(symbols->heap, &symbols->thread_of);
  vec_fini(symbols->heap, &symbols->local_of);
  vec_fini(symbols->heap, &symbols->recursive);
  vec_fini(symbols->heap, &symbols->count_of);
  vec_fini(symbols->heap, &symbols->proc_self);
  vec_fini(symbols->heap, &symbols->thread_self);
}
