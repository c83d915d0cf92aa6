/* What values a tracked object may have at a control, one object at a time: the least rows that hold the initial
 * values, what a thread's own steps make of them, and what the steps of others do to them, who are at a compatible
 * control and find there what they need. A thread that stands at a control and one that takes a step both have the
 * object's value in their rows; so, by induction over a run, the value is always in the rows of all controls where
 * threads are. */
#include "prove/known_inside.h"

#include <string.h>

typedef struct {
  Known *facts;
  const Classes *classes;
  U32Vec queue;      /* controls whose rows have grown */
  uint64_t *queued;  /* per control */
  U32Vec *changes;   /* per value in a row: the live steps that change an object to it; */
  uint64_t *changed; /* and those values that have some */
  U32Vec reached;    /* controls */
  uint64_t *row;     /* room for one */
} ValueSearch;

static bool row_has(const Known *facts, const uint64_t *row, uint32_t object, uint32_t value) {
  return facts->value_at[object] == NOTE_NONE || bitset_has(row, facts->value_at[object] + value);
}

bool known_allows(const Known *facts, uint32_t control, uint32_t object, uint32_t value) {
  if (value == facts->classes->objects[object].initial && known_is_held(facts, control, object)) return false;
  return row_has(facts, known_values(facts, control), object, value);
}

bool known_finds_values(const Known *facts, uint32_t step, uint32_t control) {
  const TouchList touches = classes_touches(facts->classes, step);
  for (uint32_t i = 0; i < touches.n; i++)
    if (!known_allows(facts, control, touches.at[i].object, touches.at[i].pre)) return false;
  return true;
}

bool known_finds_beside(const Known *facts, uint32_t step, uint32_t control) {
  if (!known_finds_values(facts, step, control)) return false;
  const uint32_t controls[] = {facts->classes->steps[step].from, control};
  const TouchList touches = classes_touches(facts->classes, step);
  for (uint32_t i = 0; facts->counters.n && i < touches.n; i++)
    if (!known_counts(facts, touches.at[i].object, touches.at[i].pre, controls, 2)) return false;
  return true;
}

static void enqueue(ValueSearch *s, uint32_t control) {
  if (bitset_has(s->queued, control)) return;
  bitset_add(s->queued, control);
  vec_push(s->facts->heap, &s->queue, control);
}

/* Joins s->row to that of a control. */
static void add_row(ValueSearch *s, uint32_t control) {
  Known *facts = s->facts;
  bool grown = !known_is_reached(facts, control);
  if (grown) {
    bitset_add(facts->reached, control);
    vec_push(facts->heap, &s->reached, control);
  }
  uint64_t *row = known_values(facts, control);
  for (size_t i = 0; i < facts->value_words; i++) {
    grown = grown || (s->row[i] & ~row[i]) != 0;
    row[i] |= s->row[i];
  }
  if (grown) enqueue(s, control);
}

/* Of an object that is touched, `post` is the one value afterwards. */
static void leave_value(const Known *facts, uint64_t *row, const Touch *touch) {
  const uint32_t at = facts->value_at[touch->object], n_values = facts->classes->objects[touch->object].n_values;
  if (at == NOTE_NONE) return;
  for (uint32_t v = 0; v < n_values; v++) bitset_remove(row, at + v);
  bitset_add(row, at + touch->post);
}

static bool is_change(const Known *facts, const Touch *touch) {
  return facts->value_at[touch->object] != NOTE_NONE && touch->pre != touch->post;
}

static void note_live(ValueSearch *s, uint32_t step) {
  Known *facts = s->facts;
  if (bitset_has(facts->live, step)) return;
  bitset_add(facts->live, step);
  const TouchList touches = classes_touches(s->classes, step);
  for (uint32_t i = 0; i < touches.n; i++)
    if (is_change(facts, &touches.at[i])) {
      const uint32_t value = facts->value_at[touches.at[i].object] + touches.at[i].post;
      vec_push(facts->heap, &s->changes[value], step);
      bitset_add(s->changed, value);
    }
}

static void take_steps(ValueSearch *s, uint32_t control) {
  const Known *facts = s->facts;
  for (uint32_t step = s->classes->step_start[control]; step < s->classes->step_start[control + 1]; step++) {
    if (!known_finds_values(facts, step, control)) continue;
    note_live(s, step);
    if (facts->value_words) memcpy(s->row, known_values(facts, control), facts->value_words * sizeof *s->row);
    const TouchList touches = classes_touches(s->classes, step);
    for (uint32_t i = 0; i < touches.n; i++) leave_value(facts, s->row, &touches.at[i]);
    add_row(s, s->classes->steps[step].to);
  }
}

static bool take_all_steps(ValueSearch *s) {
  for (uint32_t i = 0; i < s->queue.n; i++) {
    bitset_remove(s->queued, s->queue.at[i]);
    take_steps(s, s->queue.at[i]);
    if (i % 1024 == 0 && heap_asked(s->facts->heap)) return false;
  }
  vec_clear(&s->queue);
  return true;
}

/* May another thread take the step while one is at the control? */
static bool may_interfere(const ValueSearch *s, uint32_t step, uint32_t control) {
  return known_finds_beside(s->facts, step, control) &&
         classes_are_two(s->classes, classes_of_step(s->classes, step), s->classes->class_of[control]) &&
         known_rows_meet(s->facts, s->classes->steps[step].from, control);
}

/* Some step of another thread leaves the value, which the control's row does not have: then it is added. */
static void interfere(ValueSearch *s, uint32_t value, uint32_t control) {
  const U32Vec *changes = &s->changes[value];
  for (uint32_t i = 0; i < changes->n; i++)
    if (may_interfere(s, changes->at[i], control)) {
      bitset_add(known_values(s->facts, control), value);
      enqueue(s, control);
      return;
    }
}

static void interfere_at(ValueSearch *s, uint32_t control) {
  const uint64_t *row = known_values(s->facts, control);
  for (size_t i = 0; i < s->facts->value_words; i++)
    for (uint64_t left = s->changed[i] & ~row[i]; left; left &= left - 1) {
      const uint32_t value = (uint32_t)(64 * i) + (uint32_t)__builtin_ctzll(left);
      if (!bitset_has(row, value)) interfere(s, value, control);
    }
}

static bool interfere_all(ValueSearch *s) {
  for (uint32_t k = 0; k < s->reached.n; k++) {
    interfere_at(s, s->reached.at[k]);
    if (heap_asked(s->facts->heap)) return false;
  }
  return true;
}

static void start_all(ValueSearch *s) {
  const Known *facts = s->facts;
  memset(s->row, 0, (facts->value_words + 1) * sizeof *s->row);
  for (uint32_t i = 0; i < facts->tracked.n; i++) {
    const uint32_t object = facts->tracked.at[i];
    bitset_add(s->row, facts->value_at[object] + s->classes->objects[object].initial);
  }
  for (uint32_t k = 0; k < s->classes->n_classes; k++) add_row(s, s->classes->classes.at[k].controls);
}

static void forget_all(Known *facts) {
  const Classes *classes = facts->classes;
  memset(facts->values, 0, (classes->n_controls * facts->value_words + 1) * sizeof *facts->values);
  memset(facts->reached, 0, (bitset_words(classes->n_controls) + 1) * sizeof *facts->reached);
  memset(facts->live, 0, (bitset_words(classes->n_steps) + 1) * sizeof *facts->live);
}

bool values_find(Known *facts) {
  Heap *heap = facts->heap;
  ValueSearch s = {.facts = facts, .classes = facts->classes};
  s.queued = heap_zeroed(heap, (bitset_words(facts->classes->n_controls) + 1) * sizeof *s.queued);
  s.row = heap_alloc(heap, (facts->value_words + 1) * sizeof *s.row);
  s.changed = heap_zeroed(heap, (facts->value_words + 1) * sizeof *s.changed);
  s.changes = heap_zeroed(heap, heap_product(heap, 64 * (uint64_t)facts->value_words + 1, sizeof *s.changes));
  forget_all(facts);
  start_all(&s);
  bool good = true;
  while (good && s.queue.n) good = take_all_steps(&s) && interfere_all(&s);
  heap_release(heap, s.queued);
  heap_release(heap, s.row);
  vec_fini(heap, &s.queue);
  for (size_t i = 0; i < 64 * facts->value_words; i++) vec_fini(heap, &s.changes[i]);
  heap_release(heap, s.changes);
  heap_release(heap, s.changed);
  vec_fini(heap, &s.reached);
  return good;
}
