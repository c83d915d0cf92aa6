#include "colour/generator.h"

#include <assert.h>
#include <string.h>

void generator_init(Generator *g, const ColourMoves *moves, Model *model, const bool *blocks, bool one_twin) {
  Heap *heap = moves->heap;
  const ThreadView *program = moves->program;
  const Notes *notes = program->net->notes;
  *g = (Generator){.heap = heap,
                   .program = program,
                   .moves = moves,
                   .blocks = blocks,
                   .one_twin = one_twin,
                   .model = model,
                   .own = NOTE_NONE};
  intern_init(&g->states, heap);
  model->n_threads = program->n_threads;
  g->undecided = generator_object(g, "undecided", true, 1, 0);
  model->objects.at[g->undecided].value_name[0] = "";
  g->red = heap_alloc(heap, ((size_t)notes->n_blocks + 1) * sizeof *g->red);
  for (uint32_t b = 0; b < notes->n_blocks; b++) {
    g->red[b] = generator_object(g, notes->n_blocks == 1 ? "red" : arena_format(&model->arena, "red_%u", b + 1), true,
                                 1, OBJECT_ABSENT);
    model->objects.at[g->red[b]].value_name[0] = "";
    model->objects.at[g->red[b]].is_red = true;
  }
  g->data = heap_alloc(heap, ((size_t)program->objects.n + 1) * sizeof *g->data);
}

void generator_fini(Generator *g) {
  Heap *heap = g->heap;
  heap_release(heap, g->red);
  heap_release(heap, g->data);
  intern_fini(&g->states);
  vec_fini(heap, &g->touched);
  vec_fini(heap, &g->visited);
  vec_fini(heap, &g->effects);
}

uint32_t generator_object(Generator *g, const char *name, bool is_token, uint32_t n_values, uint32_t initial) {
  vec_push(g->heap, &g->touched, 0);
  return model_add_object(g->model, name, is_token, n_values, initial);
}

void generator_data_objects(Generator *g) {
  const ThreadView *program = g->program;
  for (uint32_t o = 0; o < program->objects.n; o++) {
    const ViewObject *object = &program->objects.at[o];
    g->data[o] = NOTE_NONE;
    if (!object->is_token && object->n_values == 1) continue;
    g->data[o] = generator_object(g, object->name, object->is_token, object->n_values, object->initial);
    for (uint32_t value = 0; value < object->n_values; value++)
      g->model->objects.at[g->data[o]].value_name[value] = arena_format(&g->model->arena, "%u", value);
  }
}

void generator_start_effects(Generator *g) {
  vec_clear(&g->effects);
  for (uint32_t i = 0; i < g->move->n_accesses; i++) {
    const ViewAccess *access = &g->move->accesses[i];
    if (g->data[access->object] == NOTE_NONE || access->pre == VALUE_ANY) continue;
    vec_push(g->heap, &g->effects, ((Effect){g->data[access->object], access->pre, access->post}));
  }
}

/* The state of the model for a local state and a mode; a new one is explored later. */
static uint32_t find_state(Generator *g, uint32_t thread, uint32_t local, uint32_t mode) {
  const uint32_t key[2] = {local, mode};
  bool is_new;
  const uint32_t state = intern_add(&g->states, (const char *)key, sizeof key, &is_new);
  assert(g->program->state_start[thread] <= local && local < g->program->state_start[thread + 1]);
  if (!is_new) return state;
  const char *name = g->program->state_name.at[local];
  if (mode != MODE_PLAIN) name = arena_format(&g->model->arena, "%s.%s", name, g->mode_name(g, mode));
  model_add_state(g->model, thread, name);
  vec_push(g->heap, &g->visited, UINT64_MAX);
  assert(g->model->state_thread.n == g->states.strings.n && g->visited.n == g->states.strings.n);
  g->changed = true;
  return state;
}

static void reach_value(Generator *g, const Effect *effect) {
  ModelObject *object = &g->model->objects.at[effect->object];
  assert(effect->pre != OBJECT_ABSENT || effect->post != OBJECT_ABSENT);
  assert(effect->post == OBJECT_ABSENT || effect->post < object->n_values);
  if (effect->post == OBJECT_ABSENT || object->reached[effect->post]) return;
  object->reached[effect->post] = true;
  g->touched.at[effect->object] = ++g->clock;
  g->changed = true;
}

void generator_step(Generator *g, uint32_t mode, bool ends, Effect *effects, uint32_t n) {
  const uint32_t to =
      ends ? STATE_NONE : find_state(g, g->program->thread_of[g->move->transition.v], g->move->to, mode);
  for (uint32_t i = 0; i < n; i++) reach_value(g, &effects[i]);
  if (g->record)
    vec_push(g->heap, &g->model->steps, ((Step){g->from, to, model_label(g->model, effects, n), g->move->transition}));
}

bool generator_may_choose(const Generator *g, uint32_t thread, const ColourMove *move, uint32_t *block) {
  const uint32_t begun = g->program->net->notes->transitions[move->transition.v].begin;
  if (begun == NOTE_NONE || thread >= g->program->net->notes->n_threads) return false;
  if (g->blocks && !g->blocks[begun]) return false;
  if (g->one_twin && g->program->twin[thread] != thread) return false;
  *block = begun;
  return true;
}

/* Has an object that the move may look at got a new value since the state was visited? */
static bool is_stale(const Generator *g, uint64_t visited, const ColourMove *move) {
  if (visited == UINT64_MAX || g->record) return true;
  for (uint32_t i = 0; i < move->n_accesses; i++) {
    const uint32_t object = g->data[move->accesses[i].object];
    if (object != NOTE_NONE && g->touched.at[object] > visited) return true;
  }
  return g->own != NOTE_NONE && g->touched.at[g->own] > visited;
}

static bool visit_state(Generator *g, uint32_t state, Err *err) {
  assert(state < g->visited.n);
  uint32_t key[2];
  memcpy(key, g->states.strings.at[state], sizeof key);
  const uint64_t visited = g->visited.at[state];
  g->visited.at[state] = g->clock;
  g->from = state;
  for (uint32_t m = g->moves->start.at[key[0]]; m < g->moves->start.at[key[0] + 1]; m++) {
    g->move = &g->moves->moves.at[m];
    if (!is_stale(g, visited, g->move)) continue;
    if (!g->steps(g, g->program->thread_of[g->move->transition.v], key[1], g->move, err)) return false;
  }
  return true;
}

bool generator_run(Generator *g, Err *err) {
  assert(!g->record && g->model->initial.n == 0);
  for (uint32_t i = 0; i < g->program->n_threads; i++)
    vec_push(g->heap, &g->model->initial, find_state(g, i, g->program->state_start[i], MODE_PLAIN));
  do {
    g->changed = false;
    for (uint32_t s = 0; s < g->states.strings.n; s++)
      if (!visit_state(g, s, err)) return false;
  } while (g->changed);
  g->record = true;
  for (uint32_t s = 0; s < g->states.strings.n; s++)
    if (!visit_state(g, s, err)) return false;
  assert(!g->changed); /* the steps that were kept are all */
  return true;
}
