/* Of each object with several values, is it a lock to all threads? Let w be its initial value. The bit of a thread is 0
 * at first, 1 after a step of it that takes the object off w, 0 after one that puts it back. The object has bits if
 *
 *   - a thread has one bit at a control, by whatever way it got there,
 *   - only a thread with the bit changes the object while it is off w,
 *
 * where a step that finds w and whose thread has the bit counts for nothing: it is never taken. For by induction over a
 * run, the object is off w iff exactly one thread has the bit, and at w iff none has. */
#include "prove/known_inside.h"

#include <string.h>

typedef struct {
  Known *facts;
  const Classes *classes;
  const uint64_t *live;
  uint32_t object, initial;
  uint8_t *bit; /* per control: 0 or 1, or UNKNOWN */
  U32Vec seen;  /* the controls with a known bit */
} BitSearch;

enum { UNKNOWN = 2 };

static const Touch *touch_of(const BitSearch *s, uint32_t step) {
  const TouchList touches = classes_touches(s->classes, step);
  for (uint32_t i = 0; i < touches.n; i++)
    if (touches.at[i].object == s->object) return &touches.at[i];
  return NULL;
}

static bool set_bit(BitSearch *s, uint32_t control, uint8_t bit) {
  if (s->bit[control] != UNKNOWN) return s->bit[control] == bit;
  s->bit[control] = bit;
  vec_push(s->facts->heap, &s->seen, control);
  return true;
}

static bool follow_step(BitSearch *s, uint32_t step) {
  const ClassStep *at = &s->classes->steps[step];
  const uint8_t bit = s->bit[at->from];
  const Touch *touch = touch_of(s, step);
  if (!touch) return set_bit(s, at->to, bit);
  const bool from_initial = touch->pre == s->initial, to_initial = touch->post == s->initial;
  if (from_initial && bit) return true; /* never taken */
  if (touch->pre == touch->post) return set_bit(s, at->to, bit);
  if (!from_initial && !bit) return false; /* who does not hold it changes it */
  return set_bit(s, at->to, !to_initial);
}

/* The bits of the class, if they are in order. */
static bool search_class(BitSearch *s, uint32_t class) {
  const uint32_t before = s->seen.n;
  if (!set_bit(s, s->classes->classes.at[class].controls, 0)) return false;
  for (uint32_t i = before; i < s->seen.n; i++) {
    const uint32_t control = s->seen.at[i];
    for (uint32_t step = s->classes->step_start[control]; step < s->classes->step_start[control + 1]; step++)
      if ((!s->live || bitset_has(s->live, step)) && !follow_step(s, step)) return false;
  }
  return true;
}

static void keep_bits(BitSearch *s) {
  Known *facts = s->facts;
  const uint32_t number = facts->bit[s->object] = facts->n_bits++;
  facts->bit_object[number] = s->object;
  for (uint32_t i = 0; i < s->seen.n; i++)
    if (s->bit[s->seen.at[i]] == 1) bitset_add(known_held(facts, s->seen.at[i]), number);
}

/* users: the classes that touch the object. */
static bool search_object(BitSearch *s, const U32Vec *users) {
  vec_clear(&s->seen);
  bool good = true;
  for (uint32_t i = 0; good && i < users->n; i++) good = search_class(s, users->at[i]);
  if (good) keep_bits(s);
  for (uint32_t i = 0; i < s->seen.n; i++) s->bit[s->seen.at[i]] = UNKNOWN;
  return good;
}

uint32_t bits_find(Known *facts, const uint64_t *live) {
  const Classes *classes = facts->classes;
  Heap *heap = facts->heap;
  BitSearch s = {.facts = facts, .classes = classes, .live = live};
  s.bit = heap_alloc(heap, (size_t)classes->n_controls + 1);
  memset(s.bit, UNKNOWN, (size_t)classes->n_controls + 1);
  U32Vec *users = known_users(facts);
  uint32_t n_new = 0;
  for (uint32_t o = 0; o < classes->n_objects && !heap_asked(heap); o++) {
    if (classes->objects[o].n_values < 2 || facts->bit[o] != NOTE_NONE) continue;
    s.object = o;
    s.initial = classes->objects[o].initial;
    n_new += search_object(&s, &users[o]);
  }
  for (uint32_t o = 0; o < classes->n_objects; o++) vec_fini(heap, &users[o]);
  heap_release(heap, users);
  heap_release(heap, s.bit);
  vec_fini(heap, &s.seen);
  return n_new;
}
