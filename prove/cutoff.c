#include "prove/cutoff.h"

/* A token that is taken and put back later, never looked at: a chain gets by it from a release to an acquire only. */
static bool is_plain(const Known *facts, uint32_t object) {
  const Classes *c = facts->classes;
  bool plain = c->objects[object].is_token;
  for (uint32_t step = 0; step < c->n_steps; step++) {
    const TouchList touches = classes_touches(c, step);
    for (uint32_t i = 0; i < touches.n; i++)
      if (touches.at[i].object == object && touches.at[i].takes && touches.at[i].puts) plain = false;
  }
  return plain;
}

uint32_t cutoff_others(const Known *facts) {
  const Classes *c = facts->classes;
  bool *is_lock = heap_zeroed(facts->heap, (size_t)c->n_objects + 1), applies = true;
  uint32_t hops = 0;
  known_find_locks(facts, is_lock);
  for (uint32_t o = 0; o < c->n_objects; o++) {
    applies = applies && (c->objects[o].n_values == 1 || is_lock[o]);
    hops += is_plain(facts, o) ? 1 : 2;
  }
  heap_release(facts->heap, is_lock);
  return !applies ? 0 : hops > 2 ? hops - 1 : 1;
}
