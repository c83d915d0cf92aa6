#include "colour/model.h"

#include <assert.h>
#include <stdlib.h>

void model_init(Model *model, Heap *heap) {
  *model = (Model){.heap = heap};
  arena_init(&model->arena, heap);
  intern_init(&model->labels, heap);
}

void model_fini(Model *model) {
  Heap *heap = model->heap;
  vec_fini(heap, &model->initial);
  vec_fini(heap, &model->state_thread);
  vec_fini(heap, &model->state_name);
  vec_fini(heap, &model->objects);
  vec_fini(heap, &model->steps);
  intern_fini(&model->labels);
  arena_fini(&model->arena);
}

uint32_t model_add_state(Model *model, uint32_t thread, const char *name) {
  assert(thread < model->n_threads);
  vec_push(model->heap, &model->state_name, name);
  vec_push(model->heap, &model->state_thread, thread);
  return model->state_thread.n - 1;
}

uint32_t model_add_object(Model *model, const char *name, bool is_token, uint32_t n_values, uint32_t initial) {
  assert(initial == OBJECT_ABSENT ? is_token : initial < n_values);
  ModelObject object = {.name = name, .is_token = is_token, .initial = initial, .n_values = n_values};
  object.reached = arena_zeroed(&model->arena, n_values, sizeof *object.reached);
  object.value_name = arena_zeroed(&model->arena, n_values, sizeof *object.value_name);
  if (initial != OBJECT_ABSENT) object.reached[initial] = true;
  vec_push(model->heap, &model->objects, object);
  return model->objects.n - 1;
}

static int compare_effects(const void *a, const void *b) {
  const uint32_t x = ((const Effect *)a)->object, y = ((const Effect *)b)->object;
  return (x > y) - (x < y);
}

uint32_t model_label(Model *model, Effect *effects, uint32_t n) {
  if (n > 1) qsort(effects, n, sizeof *effects, compare_effects);
  for (uint32_t i = 1; i < n; i++) assert(effects[i - 1].object < effects[i].object); /* one each */
  return intern_add(&model->labels, (const char *)effects, n * sizeof *effects, NULL);
}

EffectList model_effects(const Model *model, uint32_t label) {
  assert(label < model->labels.strings.n && model->labels.lengths.at[label] % sizeof(Effect) == 0);
  return (EffectList){(const Effect *)(const void *)model->labels.strings.at[label],
                      model->labels.lengths.at[label] / (uint32_t)sizeof(Effect)};
}

bool model_label_is_test(const Model *model, uint32_t label) {
  const EffectList effects = model_effects(model, label);
  for (uint32_t i = 0; i < effects.n; i++)
    if (effects.at[i].pre != effects.at[i].post) return false;
  return true;
}
