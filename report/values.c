/* A variable is found by its object, or by its thread and slot. A slot that stands for an object is that object. */
#include "report/values.h"

#include "base/text.h"
#include "base/vec.h"

#include <assert.h>
#include <string.h>

typedef struct {
  Arena *arena;
  const Net *net;
  const Notes *notes;
  const TransId *run;
  uint32_t n_run;
  uint32_t *of_object; /* per object: its variable; NOTE_NONE: none */
  uint32_t *of_thread; /* per thread: the variable of its first slot, as if each slot had one; NOTE_NONE: none */
  VEC(FindingVariable) variables;
  U32Vec threads;
  VEC(FindingSet) sets;
} Making;

static const char *value_name(Arena *arena, bool is_bool, uint32_t value) {
  if (is_bool) return value ? "true" : "false";
  return arena_format(arena, "%u", value);
}

/* ---- variables ---- */

static uint32_t add_variable(Making *m, FindingVariable variable, uint32_t thread) {
  Heap *heap = m->arena->heap;
  variable.name = text_clean(m->arena, variable.name);
  vec_push(heap, &m->variables, variable);
  vec_push(heap, &m->threads, thread);
  return m->variables.n - 1;
}

static void add_object(Making *m, uint32_t object) {
  const NoteObject *it = &m->notes->objects[object];
  const bool is_lock = it->kind == OBJECT_LOCK;
  const char *initial = is_lock ? NULL : value_name(m->arena, it->is_bool, it->initial);
  m->of_object[object] =
      add_variable(m, (FindingVariable){it->name, is_lock ? FINDING_LOCK : FINDING_VARIABLE, 0, initial}, NOTE_NONE);
}

static void add_objects(Making *m) {
  bool *accessed = arena_zeroed(m->arena, m->notes->n_objects, sizeof *accessed);
  for (uint32_t i = 0; i < m->n_run; i++) {
    const AccessList accesses = notes_accesses(m->notes, m->run[i].v);
    for (uint32_t k = 0; k < accesses.n; k++) accessed[accesses.at[k].object] = true;
  }
  for (uint32_t i = 0; i < m->notes->n_objects; i++)
    if (accessed[i] && (m->notes->objects[i].kind == OBJECT_LOCK || m->notes->objects[i].n_values)) add_object(m, i);
}

/* The state of the thread's control place among these; NULL: there is none. */
static const NoteState *state_among(const Making *m, PlaceList places, uint32_t thread) {
  for (uint32_t i = 0; i < places.n; i++) {
    const PlaceNote *note = &m->notes->places[places.at[i].v];
    if (note->role == ROLE_CONTROL && note->thread == thread && note->state != NOTE_NONE)
      return &m->notes->states[note->state];
  }
  return NULL;
}

/* The locals of a thread, which has taken no step so far. */
static void add_locals(Making *m, uint32_t thread, const NoteState *state) {
  m->of_thread[thread] = m->variables.n;
  for (uint32_t i = 0; i < state->n; i++) {
    const NoteSlot *slot = &m->notes->slots[state->slot + i];
    if (slot->object != NOTE_NONE) continue;
    const char *initial = value_name(m->arena, slot->is_bool, state->values[i]);
    add_variable(m, (FindingVariable){slot->name, FINDING_LOCAL, 0, initial}, thread);
  }
}

static void add_all_locals(Making *m) {
  for (uint32_t i = 0; i < m->n_run; i++) {
    const uint32_t thread = m->notes->transitions[m->run[i].v].thread;
    const NoteState *state = thread == NOTE_NONE ? NULL : state_among(m, net_pre(m->net, m->run[i]), thread);
    if (state && m->of_thread[thread] == NOTE_NONE) add_locals(m, thread, state);
  }
}

/* ---- what is set ---- */

static void set(Making *m, uint32_t variable, const char *value) {
  if (variable != NOTE_NONE) vec_push(m->arena->heap, &m->sets, ((FindingSet){variable, value}));
}

/* The place that carries the object's value among these, or NULL. */
static const PlaceNote *carrier_of(const Making *m, PlaceList places, uint32_t object) {
  for (uint32_t i = 0; i < places.n; i++) {
    const PlaceNote *note = &m->notes->places[places.at[i].v];
    if ((note->role == ROLE_COPY || note->role == ROLE_LOCK) && note->object == object) return note;
  }
  return NULL;
}

static void set_object(Making *m, TransId t, uint32_t object) {
  const NoteObject *it = &m->notes->objects[object];
  const PlaceNote *before = carrier_of(m, net_pre(m->net, t), object),
                  *after = carrier_of(m, net_post(m->net, t), object);
  const uint32_t thread = m->notes->transitions[t.v].thread;
  if (it->kind == OBJECT_LOCK && !before != !after)
    set(m, m->of_object[object],
        before && thread != NOTE_NONE ? text_clean(m->arena, m->notes->threads[thread].name) : NULL);
  else if (it->n_values && before && after && before->value != after->value)
    set(m, m->of_object[object], value_name(m->arena, it->is_bool, after->value));
}

static void set_slots(Making *m, TransId t, uint32_t thread) {
  const NoteState *before = state_among(m, net_pre(m->net, t), thread),
                  *after = state_among(m, net_post(m->net, t), thread);
  if (!before || !after || before == after || before->slot != after->slot || before->n != after->n) return;
  uint32_t local = m->of_thread[thread];
  for (uint32_t i = 0; i < before->n; i++) {
    const NoteSlot *slot = &m->notes->slots[before->slot + i];
    const uint32_t variable = slot->object == NOTE_NONE ? local++ : m->of_object[slot->object];
    if (before->values[i] != after->values[i]) set(m, variable, value_name(m->arena, slot->is_bool, after->values[i]));
  }
}

/* Those of one step are few. */
static void sort_sets(FindingSet *at, uint32_t n) {
  for (uint32_t i = 1; i < n; i++)
    for (uint32_t k = i; k > 0 && at[k].variable < at[k - 1].variable; k--) {
      const FindingSet other = at[k];
      at[k] = at[k - 1];
      at[k - 1] = other;
    }
}

/* Each object of the step once. */
static void set_step(Making *m, TransId t) {
  const uint32_t first = m->sets.n, thread = m->notes->transitions[t.v].thread;
  const AccessList accesses = notes_accesses(m->notes, t.v);
  for (uint32_t i = 0; i < accesses.n; i++) {
    bool again = false;
    for (uint32_t k = 0; k < i; k++) again |= accesses.at[k].object == accesses.at[i].object;
    if (!again) set_object(m, t, accesses.at[i].object);
  }
  if (thread != NOTE_NONE) set_slots(m, t, thread);
  sort_sets(m->sets.at + first, m->sets.n - first);
}

/* ---- all of it ---- */

static uint32_t *none_of(Arena *arena, uint32_t n) {
  uint32_t *numbers = arena_alloc(arena, ((size_t)n + 1) * sizeof *numbers);
  for (uint32_t i = 0; i < n; i++) numbers[i] = NOTE_NONE;
  return numbers;
}

static void *keep(Arena *arena, const void *at, size_t size) {
  void *copy = arena_alloc(arena, size);
  if (size) memcpy(copy, at, size);
  return copy;
}

Values values_of_run(Arena *arena, const Net *net, const TransId *run, uint32_t n) {
  Heap *heap = arena->heap;
  Making m = {.arena = arena, .net = net, .notes = net->notes, .run = run, .n_run = n};
  uint32_t *start = arena_alloc(arena, ((size_t)n + 1) * sizeof *start);
  assert(net->notes);
  m.of_object = none_of(arena, m.notes->n_objects);
  m.of_thread = none_of(arena, m.notes->n_threads);
  add_objects(&m);
  add_all_locals(&m);
  for (uint32_t i = 0; i < n; i++) {
    start[i] = m.sets.n;
    set_step(&m, run[i]);
  }
  start[n] = m.sets.n;
  const Values values = {.variables = keep(arena, m.variables.at, m.variables.n * sizeof *m.variables.at),
                         .n = m.variables.n,
                         .threads = keep(arena, m.threads.at, m.threads.n * sizeof *m.threads.at),
                         .start = start,
                         .sets = keep(arena, m.sets.at, m.sets.n * sizeof *m.sets.at)};
  vec_fini(heap, &m.variables);
  vec_fini(heap, &m.threads);
  vec_fini(heap, &m.sets);
  return values;
}

const char *values_phrase(Arena *arena, const Values *values, uint32_t step) {
  enum { LONGEST_NAME = 80 };
  const char *text = NULL;
  for (uint32_t i = values->start[step]; i < values->start[step + 1]; i++) {
    const FindingSet *it = &values->sets[i];
    const FindingVariable *variable = &values->variables[it->variable];
    if (variable->kind == FINDING_LOCK) continue;
    const char *name = text_shorten(arena, variable->name, LONGEST_NAME);
    text = arena_format(arena, "%s%s%s = %s", text ? text : "", text ? ", " : "", name, it->value);
  }
  return text;
}
