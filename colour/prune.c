/* Which values can occur at all, taking the threads one by one: a step can happen once its thread can be in `from` and
 * each value that it needs has been seen. Rounds until nothing is new. */
#include "colour/reduce.h"

#include <assert.h>

typedef struct {
  Model *model;
  bool **seen;   /* per object, per value */
  bool *visited; /* per state */
  bool *happens; /* per step */
} Pruning;

static bool can_happen(const Pruning *p, const Step *step) {
  if (!p->visited[step->from]) return false;
  const EffectList effects = model_effects(p->model, step->label);
  for (uint32_t i = 0; i < effects.n; i++)
    if (effects.at[i].pre != OBJECT_ABSENT && !p->seen[effects.at[i].object][effects.at[i].pre]) return false;
  return true;
}

static void let_happen(const Pruning *p, const Step *step) {
  if (step->to != STATE_NONE) p->visited[step->to] = true;
  const EffectList effects = model_effects(p->model, step->label);
  for (uint32_t i = 0; i < effects.n; i++)
    if (effects.at[i].post != OBJECT_ABSENT) p->seen[effects.at[i].object][effects.at[i].post] = true;
}

static void explore(const Pruning *p) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < p->model->steps.n; i++) {
      const Step *step = &p->model->steps.at[i];
      if (p->happens[i] || !can_happen(p, step)) continue;
      p->happens[i] = changed = true;
      let_happen(p, step);
    }
  }
}

static void keep_happening(Pruning *p) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->model->steps.n; i++)
    if (p->happens[i]) p->model->steps.at[n++] = p->model->steps.at[i];
  p->model->steps.n = n;
}

bool model_prune(Model *model) {
  Heap *heap = model->heap;
  Pruning p = {.model = model};
  p.seen = heap_alloc(heap, ((size_t)model->objects.n + 1) * sizeof *p.seen);
  p.visited = heap_zeroed(heap, (size_t)model->state_thread.n + 1);
  p.happens = heap_zeroed(heap, (size_t)model->steps.n + 1);
  for (uint32_t o = 0; o < model->objects.n; o++) {
    const ModelObject *object = &model->objects.at[o];
    p.seen[o] = arena_zeroed(&model->arena, object->n_values, sizeof **p.seen);
    if (object->initial != OBJECT_ABSENT) p.seen[o][object->initial] = true;
  }
  for (uint32_t i = 0; i < model->initial.n; i++) p.visited[model->initial.at[i]] = true;
  explore(&p);
  keep_happening(&p);
  bool fewer = false;
  for (uint32_t o = 0; o < model->objects.n; o++) {
    ModelObject *object = &model->objects.at[o];
    for (uint32_t v = 0; v < object->n_values; v++) {
      assert(object->reached[v] || !p.seen[o][v]); /* an over-approximation */
      fewer |= object->reached[v] && !p.seen[o][v];
    }
    object->reached = p.seen[o];
  }
  heap_release(heap, p.seen);
  heap_release(heap, p.visited);
  heap_release(heap, p.happens);
  return fewer;
}
