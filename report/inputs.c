#include "report/inputs.h"

#include <string.h>

void inputs_init(Inputs *inputs, Heap *heap) {
  *inputs = (Inputs){0};
  arena_init(&inputs->arena, heap);
}

void inputs_fini(Inputs *inputs) {
  Heap *heap = inputs->arena.heap;
  vec_fini(heap, &inputs->texts);
  vec_fini(heap, &inputs->remarks);
  arena_fini(&inputs->arena);
}

static const char *copy(Inputs *inputs, const char *text) {
  return text ? arena_copy(&inputs->arena, text, strlen(text)) : NULL;
}

void inputs_add(Inputs *inputs, const Diag *diag) {
  Heap *heap = inputs->arena.heap;
  const char *file = copy(inputs, diag->file);
  vec_push(heap, &inputs->texts, ((InputText){file, arena_copy(&inputs->arena, diag->text, diag->length)}));
  for (uint32_t i = 0; i < diag->items.n; i++) {
    DiagItem item = diag->items.at[i];
    item.message = copy(inputs, item.message);
    vec_push(heap, &inputs->remarks, ((InputRemark){file, item}));
  }
}
