#include "colour/encode.h"

#include "base/sort.h"

#include <assert.h>

/* Where the places of an object's values stand. */
typedef struct {
  const Model *model;
  Heap *heap;
  NetBuilder *builder;
  uint32_t *value_start; /* per object: its first value in the arrays below */
  bool *used;            /* per value: does it occur in a step or at the start? */
  U32Vec *testers;       /* per value: the threads that test it, ascending */
  uint32_t *first_place; /* per value: its first place; the testers' places follow each other */
  PlaceId *state_place;  /* per state */
  PlaceId red;           /* marked by every violation, if there are several red objects; else PLACE_NONE */
} Encoder;

static uint32_t value_index(const Encoder *e, uint32_t object, uint32_t value) {
  assert(object < e->model->objects.n && value < e->model->objects.at[object].n_values);
  return e->value_start[object] + value;
}

static uint32_t count_places(const Encoder *e, uint32_t value) { return e->testers[value].n ? e->testers[value].n : 1; }

static void use_values(Encoder *e) {
  const Model *model = e->model;
  for (uint32_t o = 0; o < model->objects.n; o++)
    if (model->objects.at[o].initial != OBJECT_ABSENT) e->used[value_index(e, o, model->objects.at[o].initial)] = true;
  for (uint32_t i = 0; i < model->steps.n; i++) {
    const Step *step = &model->steps.at[i];
    const uint32_t thread = model->state_thread.at[step->from];
    const EffectList effects = model_effects(model, step->label);
    for (uint32_t k = 0; k < effects.n; k++) {
      const Effect *effect = &effects.at[k];
      if (effect->pre != OBJECT_ABSENT) e->used[value_index(e, effect->object, effect->pre)] = true;
      if (effect->post != OBJECT_ABSENT) e->used[value_index(e, effect->object, effect->post)] = true;
      if (effect->pre != effect->post) continue;
      U32Vec *testers = &e->testers[value_index(e, effect->object, effect->pre)];
      if (!testers->n || vec_last(testers) < thread) vec_push(e->heap, testers, thread);
    }
  }
}

static uint32_t find_tester(const U32Vec *testers, uint32_t thread) {
  const uint32_t from = sort_count_below(testers->at, testers->n, thread);
  assert(from < testers->n);
  return from;
}

static void add_object_places(Encoder *e, Arena *scratch) {
  const Model *model = e->model;
  for (uint32_t o = 0; o < model->objects.n; o++) {
    const ModelObject *object = &model->objects.at[o];
    for (uint32_t v = 0; v < object->n_values; v++) {
      const uint32_t value = value_index(e, o, v), n = count_places(e, value);
      e->first_place[value] = net_builder_places(e->builder);
      if (!e->used[value]) continue; /* no places: the next value starts here, too */
      const char *name =
          object->value_name[v][0] ? arena_format(scratch, "%s=%s", object->name, object->value_name[v]) : object->name;
      for (uint32_t i = 0; i < n; i++)
        net_add_place(e->builder, n == 1 ? name : arena_format(scratch, "%s/%u", name, e->testers[value].at[i] + 1),
                      object->initial == v);
    }
  }
  e->first_place[e->value_start[model->objects.n]] = net_builder_places(e->builder);
}

static void add_state_places(Encoder *e, Arena *scratch) {
  const Model *model = e->model;
  for (uint32_t s = 0; s < model->state_thread.n; s++)
    e->state_place[s] = net_add_place(
        e->builder, arena_format(scratch, "T%u.%s", model->state_thread.at[s] + 1, model->state_name.at[s]), false);
  for (uint32_t i = 0; i < model->initial.n; i++)
    net_set_marked(e->builder, e->state_place[model->initial.at[i]], true);
}

/* All places of a value as inputs, as outputs, or both. */
static void add_value_arcs(Encoder *e, TransId t, uint32_t value, bool input, bool output) {
  assert(e->used[value]); /* so it has places */
  for (uint32_t i = 0; i < count_places(e, value); i++) {
    const PlaceId place = {e->first_place[value] + i};
    if (input) net_add_input(e->builder, place, t);
    if (output) net_add_output(e->builder, t, place);
  }
}

static void add_step(Encoder *e, const Step *step, const Net *origin) {
  const Model *model = e->model;
  assert(step->to == STATE_NONE || model->state_thread.at[step->to] == model->state_thread.at[step->from]);
  const TransId t =
      net_add_trans(e->builder, step->origin.v == TRANS_NONE.v ? "step" : origin->trans_name[step->origin.v]);
  net_add_input(e->builder, e->state_place[step->from], t);
  if (step->to != STATE_NONE) net_add_output(e->builder, t, e->state_place[step->to]);
  const EffectList effects = model_effects(model, step->label);
  for (uint32_t k = 0; k < effects.n; k++) {
    const Effect *effect = &effects.at[k];
    if (effect->pre == effect->post) {
      const uint32_t value = value_index(e, effect->object, effect->pre);
      const PlaceId place = {e->first_place[value] +
                             find_tester(&e->testers[value], model->state_thread.at[step->from])};
      net_add_input(e->builder, place, t);
      net_add_output(e->builder, t, place);
      continue;
    }
    if (effect->pre != OBJECT_ABSENT) add_value_arcs(e, t, value_index(e, effect->object, effect->pre), true, false);
    if (effect->post != OBJECT_ABSENT) add_value_arcs(e, t, value_index(e, effect->object, effect->post), false, true);
    if (e->red.v != PLACE_NONE.v && model->objects.at[effect->object].is_red) net_add_output(e->builder, t, e->red);
  }
}

static void encoder_init(Encoder *e) {
  const Model *model = e->model;
  e->value_start = heap_alloc(e->heap, ((size_t)model->objects.n + 1) * sizeof *e->value_start);
  uint32_t n_values = 0;
  for (uint32_t o = 0; o < model->objects.n; o++) {
    e->value_start[o] = n_values;
    n_values += model->objects.at[o].n_values;
  }
  e->value_start[model->objects.n] = n_values;
  e->used = heap_zeroed(e->heap, (size_t)n_values + 1);
  e->testers = heap_zeroed(e->heap, ((size_t)n_values + 1) * sizeof *e->testers);
  e->first_place = heap_alloc(e->heap, ((size_t)n_values + 1) * sizeof *e->first_place);
  e->state_place = heap_alloc(e->heap, ((size_t)model->state_thread.n + 1) * sizeof *e->state_place);
}

static void encoder_fini(Encoder *e) {
  for (uint32_t v = 0; v < e->value_start[e->model->objects.n]; v++) vec_fini(e->heap, &e->testers[v]);
  heap_release(e->heap, e->used);
  heap_release(e->heap, e->testers);
  heap_release(e->heap, e->state_place);
}

Net *model_encode(const Model *model, const Net *origin, const uint32_t *red, uint32_t n_red, PlaceId *red_place,
                  Encoding *encoding, Err *err) {
  assert(model->initial.n == model->n_threads);
  Heap *heap = model->heap;
  Encoder e = {.model = model, .heap = heap, .builder = net_builder_new(heap), .red = PLACE_NONE};
  Arena scratch;
  arena_init(&scratch, heap);
  net_set_name(e.builder, "coloured");
  encoder_init(&e);
  use_values(&e);
  add_state_places(&e, &scratch);
  add_object_places(&e, &scratch);
  if (n_red != 1) e.red = net_add_place(e.builder, "red", false);
  bool single = n_red == 1;
  for (uint32_t k = 0; k < n_red; k++) {
    assert(model->objects.at[red[k]].is_red && model->objects.at[red[k]].is_token);
    const uint32_t value = value_index(&e, red[k], 0);
    red_place[k] = PLACE_NONE;
    if (e.used[value]) red_place[k].v = e.first_place[value];
    single = single && e.used[value];
  }
  if (n_red == 1 && !single) net_add_place(e.builder, "red", false);
  for (uint32_t i = 0; i < model->steps.n; i++) add_step(&e, &model->steps.at[i], origin);
  *encoding = (Encoding){e.value_start, e.first_place};
  encoder_fini(&e);
  arena_fini(&scratch);
  return net_freeze(e.builder, err);
}
