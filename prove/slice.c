/* The threads on all abstract chains that come back; then, for each object whose value a thread among them may see,
 * those that change it. Locks are left out: where nobody but the holder does anything to an object that is held, a
 * thread that is left out only leaves it free for longer. */
#include "prove/slice.h"

typedef struct {
  const Known *facts;
  const Classes *classes;
  uint64_t *kept; /* classes */
  U32Vec queue;   /* of them */
  bool *is_seen;  /* per object: its changers are kept */
  bool *is_lock;  /* per object */
} Slice;

static void keep(Slice *s, uint32_t class) {
  if (bitset_has(s->kept, class)) return;
  bitset_add(s->kept, class);
  vec_push(s->facts->heap, &s->queue, class);
}

static void keep_changers(Slice *s, const Links *links, uint32_t object) {
  if (s->is_seen[object] || s->is_lock[object] || s->classes->objects[object].n_values < 2) return;
  s->is_seen[object] = true;
  const ToucherList touchers = links_touchers(links, object);
  for (uint32_t i = 0; i < touchers.n; i++)
    if (touchers.at[i].touch.pre != touchers.at[i].touch.post)
      keep(s, classes_of_step(s->classes, touchers.at[i].step));
}

static void close_class(Slice *s, const Links *links, uint32_t class) {
  const Classes *c = s->classes;
  const uint32_t first = classes_first_step(c, class), behind = classes_first_step(c, class + 1);
  for (uint32_t step = first; step < behind; step++) {
    if (!known_is_live(s->facts, step)) continue;
    const TouchList touches = classes_touches(c, step);
    for (uint32_t i = 0; i < touches.n; i++) keep_changers(s, links, touches.at[i].object);
  }
}

static void close_all(Slice *s, const Links *links) {
  for (uint32_t k = 0; k < s->classes->n_classes; k++)
    if (bitset_has(s->kept, k)) vec_push(s->facts->heap, &s->queue, k);
  for (uint32_t i = 0; i < s->queue.n; i++) close_class(s, links, s->queue.at[i]);
}

bool slice_find(Environment *environment, uint32_t class, uint32_t block, uint64_t *classes) {
  const Known *facts = environment->facts;
  Slice s = {.facts = facts, .classes = facts->classes, .kept = classes};
  bitset_add(classes, class);
  if (!environment_users(environment, class, block, classes)) return false;
  s.is_seen = heap_zeroed(facts->heap, (size_t)facts->classes->n_objects + 1);
  s.is_lock = heap_zeroed(facts->heap, (size_t)facts->classes->n_objects + 1);
  known_find_locks(facts, s.is_lock);
  close_all(&s, environment->movers->links);
  heap_release(facts->heap, s.is_seen);
  heap_release(facts->heap, s.is_lock);
  vec_fini(facts->heap, &s.queue);
  return true;
}
