/* Bits and values help each other: a step that the values rule out need not keep the law of a bit, and two threads that
 * hold the same are not at a compatible control. So bits are looked for again where values have ruled steps out, until
 * there are no more of them. */
#include "prove/known_inside.h"

/* Values are followed of all variables with several values, and of tokens that are no locks: what a lock's token does,
 * its bit tells. */
static void choose_tracked(Known *facts) {
  const Classes *classes = facts->classes;
  uint64_t at = 0;
  for (uint32_t o = 0; o < classes->n_objects; o++) {
    const ClassObject *object = &classes->objects[o];
    if (object->n_values < 2 || (object->is_token && facts->bit[o] != NOTE_NONE)) continue;
    if (at + object->n_values > UINT32_MAX) heap_give_up(facts->heap);
    facts->value_at[o] = (uint32_t)at;
    at += object->n_values;
    vec_push(facts->heap, &facts->tracked, o);
  }
  facts->value_words = bitset_words((uint32_t)at);
  facts->values =
      heap_zeroed(facts->heap, heap_product(facts->heap, (uint64_t)classes->n_controls * facts->value_words + 1,
                                            sizeof *facts->values));
}

static void allocate(Known *facts) {
  const Classes *classes = facts->classes;
  Heap *heap = facts->heap;
  uint32_t n_held = 0;
  facts->bit = heap_alloc(heap, heap_product(heap, (uint64_t)classes->n_objects + 1, sizeof *facts->bit));
  facts->bit_object = heap_alloc(heap, heap_product(heap, (uint64_t)classes->n_objects + 1, sizeof *facts->bit_object));
  facts->value_at = heap_alloc(heap, heap_product(heap, (uint64_t)classes->n_objects + 1, sizeof *facts->value_at));
  for (uint32_t o = 0; o < classes->n_objects; o++) {
    facts->bit[o] = facts->value_at[o] = NOTE_NONE;
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
  do
    if (!values_find(facts)) return false;
  while (facts->tracked.n && bits_find(facts, facts->live));
  kinds_find(facts);
  return true;
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

void known_fini(Known *facts) {
  Heap *heap = facts->heap;
  heap_release(heap, facts->bit);
  heap_release(heap, facts->bit_object);
  heap_release(heap, facts->held);
  heap_release(heap, facts->value_at);
  heap_release(heap, facts->values);
  heap_release(heap, facts->reached);
  heap_release(heap, facts->live);
  heap_release(heap, facts->kind);
  heap_release(heap, facts->asked);
  heap_release(heap, facts->meets);
  vec_fini(heap, &facts->tracked);
  vec_fini(heap, &facts->kind_control);
}
