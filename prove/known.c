/* Bits and values help each other: a step that the values rule out need not keep the law of a bit, and two threads that
 * hold the same are not at a compatible control. So bits are looked for again where values have ruled steps out, until
 * there are no more of them. Counters, where they are asked for, join them. */
#include "prove/known_inside.h"

#include <assert.h>
#include <string.h>

static uint64_t round_up(uint64_t at) { return (at + 63) / 64 * 64; }

/* Values are followed of all variables with several values, and of tokens that are no locks: what a lock's token does,
 * its bit tells. An object has its values in one word, or words for itself. */
static void choose_tracked(Known *facts) {
  const Classes *classes = facts->classes;
  uint64_t at = 0;
  for (uint32_t o = 0; o < classes->n_objects; o++) {
    const ClassObject *object = &classes->objects[o];
    if (object->n_values < 2 || (object->is_token && facts->bit[o] != NOTE_NONE)) continue;
    if (at % 64 + object->n_values > 64) at = round_up(at);
    facts->value_at[o] = (uint32_t)at;
    at += object->n_values;
    if (object->n_values > 64) at = round_up(at);
    if (at > UINT32_MAX) heap_give_up(facts->heap);
    vec_push(facts->heap, &facts->tracked, o);
  }
  facts->value_words = bitset_words((uint32_t)at);
  facts->values =
      heap_zeroed(facts->heap, heap_product(facts->heap, (uint64_t)classes->n_controls * facts->value_words + 1,
                                            sizeof *facts->values));
}

static void find_tops(Known *facts) {
  facts->value_top = heap_zeroed(facts->heap, (facts->value_words + 1) * sizeof *facts->value_top);
  facts->value_rest = heap_zeroed(facts->heap, (facts->value_words + 1) * sizeof *facts->value_rest);
  for (uint32_t i = 0; i < facts->tracked.n; i++) {
    const uint32_t object = facts->tracked.at[i], at = facts->value_at[object];
    const uint32_t n_values = facts->classes->objects[object].n_values;
    if (n_values > 64) {
      vec_push(facts->heap, &facts->wide, object);
      continue;
    }
    for (uint32_t v = 0; v + 1 < n_values; v++) bitset_add(facts->value_rest, at + v);
    bitset_add(facts->value_top, at + n_values - 1);
  }
}

static void allocate(Known *facts) {
  const Classes *classes = facts->classes;
  Heap *heap = facts->heap;
  uint32_t n_held = 0;
  facts->bit = heap_alloc(heap, heap_product(heap, (uint64_t)classes->n_objects + 1, sizeof *facts->bit));
  facts->bit_object = heap_alloc(heap, heap_product(heap, (uint64_t)classes->n_objects + 1, sizeof *facts->bit_object));
  facts->value_at = heap_alloc(heap, heap_product(heap, (uint64_t)classes->n_objects + 1, sizeof *facts->value_at));
  facts->counter = heap_alloc(heap, heap_product(heap, (uint64_t)classes->n_objects + 1, sizeof *facts->counter));
  for (uint32_t o = 0; o < classes->n_objects; o++) {
    facts->bit[o] = facts->value_at[o] = facts->counter[o] = NOTE_NONE;
    n_held += classes->objects[o].n_values > 1;
  }
  facts->held_words = bitset_words(n_held);
  facts->held =
      heap_zeroed(heap, heap_product(heap, (uint64_t)classes->n_controls * facts->held_words + 1, sizeof *facts->held));
  facts->reached = heap_zeroed(heap, (bitset_words(classes->n_controls) + 1) * sizeof *facts->reached);
  facts->live = heap_zeroed(heap, (bitset_words(classes->n_steps) + 1) * sizeof *facts->live);
  facts->kind = heap_alloc(heap, heap_product(heap, (uint64_t)classes->n_controls + 1, sizeof *facts->kind));
}

static bool find_facts(Known *facts) {
  bits_find(facts, NULL);
  choose_tracked(facts);
  find_tops(facts);
  do
    if (!values_find(facts)) return false;
  while (facts->tracked.n && bits_find(facts, facts->live));
  kinds_find(facts);
  return true;
}

U32Vec *known_users(const Known *facts) {
  const Classes *classes = facts->classes;
  U32Vec *users = heap_zeroed(facts->heap, heap_product(facts->heap, (uint64_t)classes->n_objects + 1, sizeof *users));
  for (uint32_t step = 0; step < classes->n_steps; step++) {
    const TouchList touches = classes_touches(classes, step);
    const uint32_t class = classes_of_step(classes, step);
    for (uint32_t i = 0; i < touches.n; i++) {
      U32Vec *of = &users[touches.at[i].object];
      if (!of->n || vec_last(of) != class) vec_push(facts->heap, of, class);
    }
  }
  return users;
}

bool known_init(Known *facts, Heap *heap, const Classes *classes) {
  *facts = (Known){.heap = heap, .classes = classes};
  allocate(facts);
  if (find_facts(facts)) return true;
  known_fini(facts);
  return false;
}

void known_find_locks(const Known *facts, bool *is_lock) {
  const Classes *c = facts->classes;
  for (uint32_t o = 0; o < c->n_objects; o++) is_lock[o] = facts->bit[o] != NOTE_NONE;
  for (uint32_t step = 0; step < c->n_steps; step++) {
    if (!known_is_live(facts, step)) continue;
    const TouchList touches = classes_touches(c, step);
    for (uint32_t i = 0; i < touches.n; i++) {
      const uint32_t o = touches.at[i].object;
      if (touches.at[i].pre != c->objects[o].initial && !known_is_held(facts, c->steps[step].from, o))
        is_lock[o] = false;
    }
  }
}

/* Bits and values, which are followed of the same objects; `copy` has room for the bits. */
static void copy_found(Known *copy, const Known *facts) {
  const Classes *classes = facts->classes;
  const size_t n_values = classes->n_controls * facts->value_words;
  copy->n_bits = facts->n_bits;
  memcpy(copy->bit, facts->bit, classes->n_objects * sizeof *copy->bit);
  memcpy(copy->bit_object, facts->bit_object, facts->n_bits * sizeof *copy->bit_object);
  memcpy(copy->held, facts->held, classes->n_controls * facts->held_words * sizeof *copy->held);
  for (uint32_t i = 0; i < facts->tracked.n; i++) vec_push(copy->heap, &copy->tracked, facts->tracked.at[i]);
  memcpy(copy->value_at, facts->value_at, classes->n_objects * sizeof *copy->value_at);
  copy->value_words = facts->value_words;
  find_tops(copy);
  copy->values = heap_alloc(copy->heap, (n_values + 1) * sizeof *copy->values);
  memcpy(copy->values, facts->values, n_values * sizeof *copy->values);
  memcpy(copy->reached, facts->reached, bitset_words(classes->n_controls) * sizeof *copy->reached);
  memcpy(copy->live, facts->live, bitset_words(classes->n_steps) * sizeof *copy->live);
}

static bool count(Known *facts) {
  if (!counters_find(facts)) return true;
  do
    if (!values_find(facts)) return false;
  while (bits_find(facts, facts->live) + counters_find(facts));
  return true;
}

bool known_init_counting(Known *counting, const Known *facts) {
  assert(!facts->counters.n);
  *counting = (Known){.heap = facts->heap, .classes = facts->classes};
  allocate(counting);
  copy_found(counting, facts);
  if (count(counting)) {
    kinds_find(counting);
    return true;
  }
  known_fini(counting);
  return false;
}

void known_fini(Known *facts) {
  Heap *heap = facts->heap;
  heap_release(heap, facts->bit);
  heap_release(heap, facts->bit_object);
  heap_release(heap, facts->held);
  heap_release(heap, facts->value_at);
  heap_release(heap, facts->value_top);
  heap_release(heap, facts->value_rest);
  heap_release(heap, facts->values);
  heap_release(heap, facts->reached);
  heap_release(heap, facts->live);
  heap_release(heap, facts->kind);
  for (uint32_t i = 0; i < facts->counters.n; i++) {
    heap_release(heap, facts->counters.at[i].weight);
    heap_release(heap, facts->counters.at[i].class_most);
  }
  vec_fini(heap, &facts->counters);
  heap_release(heap, facts->counter);
  heap_release(heap, facts->asked);
  heap_release(heap, facts->meets);
  vec_fini(heap, &facts->tracked);
  vec_fini(heap, &facts->wide);
  vec_fini(heap, &facts->kind_control);
}
