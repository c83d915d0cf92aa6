#include "petri/notes_builder.h"

#include <assert.h>
#include <string.h>

static const TransNote NO_TRANS_NOTE = {NOTE_NONE, {0, 0, 0, 0}, "", NOTE_NONE, NOTE_NONE, false};

void notes_builder_init(NotesBuilder *notes, Arena *arena) {
  *notes = (NotesBuilder){.heap = arena->heap, .arena = arena};
}

void notes_builder_fini(NotesBuilder *notes) {
  vec_fini(notes->heap, &notes->files);
  vec_fini(notes->heap, &notes->functions);
  vec_fini(notes->heap, &notes->counts);
  vec_fini(notes->heap, &notes->threads);
  vec_fini(notes->heap, &notes->objects);
  vec_fini(notes->heap, &notes->blocks);
  vec_fini(notes->heap, &notes->slots);
  vec_fini(notes->heap, &notes->states);
  vec_fini(notes->heap, &notes->gaps);
  vec_fini(notes->heap, &notes->places);
  vec_fini(notes->heap, &notes->transitions);
  vec_fini(notes->heap, &notes->accesses);
}

static const char *keep(NotesBuilder *notes, const char *text) {
  notes->used = true;
  return text ? arena_copy(notes->arena, text, strlen(text)) : NULL;
}

static const void *copy_items(NotesBuilder *notes, const void *from, size_t count, size_t size) {
  void *copy = arena_alloc(notes->arena, count * size);
  if (count) memcpy(copy, from, count * size);
  return copy;
}

static void add_first(NotesBuilder *notes) {
  if (!notes->files.n) vec_push(notes->heap, &notes->files, "");
  if (!notes->functions.n) vec_push(notes->heap, &notes->functions, "");
}

void notes_set_file(NotesBuilder *notes, const char *file) {
  add_first(notes);
  notes->files.at[0] = keep(notes, file);
}

uint32_t notes_add_file(NotesBuilder *notes, const char *file) {
  add_first(notes);
  vec_push(notes->heap, &notes->files, keep(notes, file));
  return notes->files.n - 1;
}

uint32_t notes_add_function(NotesBuilder *notes, const char *function) {
  add_first(notes);
  vec_push(notes->heap, &notes->functions, keep(notes, function));
  return notes->functions.n - 1;
}

uint32_t notes_add_count(NotesBuilder *notes, const char *name) {
  vec_push(notes->heap, &notes->counts, keep(notes, name));
  return notes->counts.n - 1;
}

uint32_t notes_add_thread(NotesBuilder *notes, const char *name, uint32_t group, SrcPos pos) {
  vec_push(notes->heap, &notes->threads, ((NoteThread){keep(notes, name), group, pos, NOTE_NONE}));
  return notes->threads.n - 1;
}

void notes_set_count(NotesBuilder *notes, uint32_t thread, uint32_t count) { notes->threads.at[thread].count = count; }

uint32_t notes_add_object(NotesBuilder *notes, const char *name, ObjectKind kind, uint32_t n_values) {
  vec_push(notes->heap, &notes->objects, ((NoteObject){keep(notes, name), kind, n_values, false, 0}));
  return notes->objects.n - 1;
}

void notes_set_bool(NotesBuilder *notes, uint32_t object) {
  assert(notes->objects.at[object].kind == OBJECT_VARIABLE && notes->objects.at[object].n_values == 2);
  notes->objects.at[object].is_bool = true;
}

void notes_set_initial(NotesBuilder *notes, uint32_t object, uint32_t value) {
  notes->objects.at[object].initial = value;
}

uint32_t notes_add_slot(NotesBuilder *notes, NoteSlot slot) {
  slot.name = keep(notes, slot.name);
  vec_push(notes->heap, &notes->slots, slot);
  return notes->slots.n - 1;
}

uint32_t notes_add_state(NotesBuilder *notes, NoteState state) {
  state.values = copy_items(notes, state.values, state.n, sizeof *state.values);
  vec_push(notes->heap, &notes->states, state);
  return notes->states.n - 1;
}

uint32_t notes_add_block(NotesBuilder *notes, const char *name, SrcPos begin, SrcPos end) {
  vec_push(notes->heap, &notes->blocks, ((NoteBlock){keep(notes, name), begin, end}));
  return notes->blocks.n - 1;
}

void notes_add_gap(NotesBuilder *notes, const char *what, SrcPos pos) {
  vec_push(notes->heap, &notes->gaps, ((NoteGap){keep(notes, what), pos}));
}

void notes_set_place(NotesBuilder *notes, uint32_t place, PlaceNote note) {
  notes->used = true;
  while (notes->places.n <= place) vec_push(notes->heap, &notes->places, NO_PLACE_NOTE);
  notes->places.at[place] = note;
}

void notes_set_trans(NotesBuilder *notes, uint32_t transition, TransNote note) {
  while (notes->transitions.n <= transition) vec_push(notes->heap, &notes->transitions, NO_TRANS_NOTE);
  note.text = keep(notes, note.text ? note.text : "");
  notes->transitions.at[transition] = note;
}

void notes_add_access(NotesBuilder *notes, uint32_t transition, Access access) {
  notes->used = true;
  vec_push(notes->heap, &notes->accesses, ((PlacedAccess){transition, access}));
}

void notes_declare_as(NotesBuilder *notes, const Notes *others) {
  notes_set_file(notes, others->file);
  for (uint32_t i = 1; i < others->n_files; i++) notes_add_file(notes, others->files[i]);
  for (uint32_t i = 1; i < others->n_functions; i++) notes_add_function(notes, others->functions[i]);
  for (uint32_t i = 0; i < others->n_objects; i++) {
    const NoteObject *object = &others->objects[i];
    notes_add_object(notes, object->name, object->kind, object->n_values);
    if (object->is_bool) notes_set_bool(notes, i);
    notes_set_initial(notes, i, object->initial);
  }
  for (uint32_t i = 0; i < others->n_blocks; i++)
    notes_add_block(notes, others->blocks[i].name, others->blocks[i].begin, others->blocks[i].end);
  for (uint32_t i = 0; i < others->n_gaps; i++) notes_add_gap(notes, others->gaps[i].what, others->gaps[i].pos);
}

void notes_add_states_of(NotesBuilder *notes, const Notes *others) {
  for (uint32_t i = 0; i < others->n_slots; i++) notes_add_slot(notes, others->slots[i]);
  for (uint32_t i = 0; i < others->n_states; i++) notes_add_state(notes, others->states[i]);
}

/* Counting sort of the accesses by transition; the order within a transition stays. */
static void freeze_accesses(NotesBuilder *notes, uint32_t n_trans, Notes *result) {
  uint32_t *start = arena_zeroed(notes->arena, (size_t)n_trans + 1, sizeof *start);
  Access *accesses = arena_alloc(notes->arena, notes->accesses.n * sizeof *accesses);
  for (uint32_t i = 0; i < notes->accesses.n; i++) start[notes->accesses.at[i].transition]++;
  for (uint32_t t = 0, sum = 0; t <= n_trans; t++) {
    const uint32_t count = start[t];
    start[t] = sum;
    sum += count;
  }
  for (uint32_t i = 0; i < notes->accesses.n; i++)
    accesses[start[notes->accesses.at[i].transition]++] = notes->accesses.at[i].access;
  for (uint32_t t = n_trans; t > 0; t--) start[t] = start[t - 1];
  start[0] = 0;
  result->access_start = start;
  result->accesses = accesses;
}

/* Where a variable has copies, their tokens say what it starts with. */
static void see_initial_values(NotesBuilder *notes, const bool *marked) {
  for (uint32_t p = 0; p < notes->places.n; p++) {
    const PlaceNote *note = &notes->places.at[p];
    if (note->role == ROLE_COPY && marked[p] && note->object < notes->objects.n &&
        notes->objects.at[note->object].n_values > note->value)
      notes->objects.at[note->object].initial = note->value;
  }
}

bool notes_freeze(NotesBuilder *notes, uint32_t n_places, uint32_t n_trans, const bool *marked, const Notes **result,
                  Err *err) {
  *result = NULL;
  if (!notes->used) return true;
  if (notes->places.n > n_places || notes->transitions.n > n_trans)
    return err_set(err, ERR_INPUT, "the annotations refer to places or transitions that the net does not have");
  for (uint32_t i = 0; i < notes->accesses.n; i++)
    if (notes->accesses.at[i].transition >= n_trans)
      return err_set(err, ERR_INPUT, "the annotations refer to transitions that the net does not have");
  see_initial_values(notes, marked);
  while (notes->places.n < n_places) vec_push(notes->heap, &notes->places, NO_PLACE_NOTE);
  while (notes->transitions.n < n_trans) vec_push(notes->heap, &notes->transitions, NO_TRANS_NOTE);
  Notes *frozen = arena_zeroed(notes->arena, 1, sizeof *frozen);
  add_first(notes);
  frozen->file = notes->files.at[0];
  frozen->n_files = notes->files.n;
  frozen->n_functions = notes->functions.n;
  frozen->files = copy_items(notes, notes->files.at, notes->files.n, sizeof(const char *));
  frozen->functions = copy_items(notes, notes->functions.at, notes->functions.n, sizeof(const char *));
  frozen->n_counts = notes->counts.n;
  frozen->counts = copy_items(notes, notes->counts.at, notes->counts.n, sizeof(const char *));
  frozen->n_threads = notes->threads.n;
  frozen->n_objects = notes->objects.n;
  frozen->n_blocks = notes->blocks.n;
  frozen->threads = copy_items(notes, notes->threads.at, notes->threads.n, sizeof(NoteThread));
  frozen->objects = copy_items(notes, notes->objects.at, notes->objects.n, sizeof(NoteObject));
  frozen->blocks = copy_items(notes, notes->blocks.at, notes->blocks.n, sizeof(NoteBlock));
  frozen->n_slots = notes->slots.n;
  frozen->n_states = notes->states.n;
  frozen->slots = copy_items(notes, notes->slots.at, notes->slots.n, sizeof(NoteSlot));
  frozen->states = copy_items(notes, notes->states.at, notes->states.n, sizeof(NoteState));
  frozen->n_gaps = notes->gaps.n;
  frozen->gaps = copy_items(notes, notes->gaps.at, notes->gaps.n, sizeof(NoteGap));
  frozen->places = copy_items(notes, notes->places.at, n_places, sizeof(PlaceNote));
  frozen->transitions = copy_items(notes, notes->transitions.at, n_trans, sizeof(TransNote));
  freeze_accesses(notes, n_trans, frozen);
  if (!notes_audit(frozen, n_places, n_trans, err)) return false;
  *result = frozen;
  return true;
}

static bool in_range(uint32_t number, uint32_t end) { return number == NOTE_NONE || number < end; }

static bool place_is_good(const Notes *notes, SrcPos pos) {
  return pos.file < notes->n_files && pos.function < notes->n_functions;
}

static bool places_are_good(const Notes *notes, uint32_t n_trans) {
  bool good = true;
  for (uint32_t i = 0; i < notes->n_threads; i++) good &= place_is_good(notes, notes->threads[i].pos);
  for (uint32_t i = 0; i < notes->n_blocks; i++)
    good &= place_is_good(notes, notes->blocks[i].begin) && place_is_good(notes, notes->blocks[i].end);
  for (uint32_t i = 0; i < notes->n_gaps; i++) good &= place_is_good(notes, notes->gaps[i].pos);
  for (uint32_t t = 0; t < n_trans; t++) good &= place_is_good(notes, notes->transitions[t].pos);
  return good;
}

static bool state_is_good(const Notes *notes, const NoteState *state) {
  if (state->slot > notes->n_slots || state->n > notes->n_slots - state->slot) return false;
  for (uint32_t i = 0; i < state->n; i++)
    if (state->values[i] >= notes->slots[state->slot + i].n_values) return false;
  return true;
}

static bool values_are_good(const Notes *notes, Err *err) {
  for (uint32_t i = 0; i < notes->n_objects; i++)
    if (notes->objects[i].initial && notes->objects[i].initial >= notes->objects[i].n_values)
      return err_set(err, ERR_INPUT, "object number %u begins with a value that it cannot have", i);
  for (uint32_t i = 0; i < notes->n_slots; i++) {
    const NoteSlot *slot = &notes->slots[i];
    if (!slot->n_values || (slot->is_bool && slot->n_values != 2) || !in_range(slot->object, notes->n_objects))
      return err_set(err, ERR_INPUT, "slot number %u has no values, or stands for an object that is not declared", i);
  }
  for (uint32_t i = 0; i < notes->n_states; i++)
    if (!state_is_good(notes, &notes->states[i]))
      return err_set(err, ERR_INPUT,
                     "state number %u has values of slots that are not declared, or that cannot have them", i);
  return true;
}

bool notes_audit(const Notes *notes, uint32_t n_places, uint32_t n_trans, Err *err) {
  if (!places_are_good(notes, n_trans))
    return err_set(err, ERR_INPUT, "a note is in a file or a function that is not declared");
  for (uint32_t i = 0; i < notes->n_threads; i++)
    if (!in_range(notes->threads[i].count, notes->n_counts))
      return err_set(err, ERR_INPUT, "thread number %u is counted by what is not declared", i);
  if (notes->n_gaps && notes->n_counts)
    return err_set(err, ERR_INPUT, "a net with gaps cannot leave numbers of threads open");
  if (!values_are_good(notes, err)) return false;
  for (uint32_t p = 0; p < n_places; p++) {
    const PlaceNote *note = &notes->places[p];
    if (!in_range(note->thread, notes->n_threads) || !in_range(note->object, notes->n_objects))
      return err_set(err, ERR_INPUT, "the note of place number %u names a thread or an object that is not declared", p);
    if (!in_range(note->state, notes->n_states) || (note->state != NOTE_NONE && note->role != ROLE_CONTROL))
      return err_set(err, ERR_INPUT, "the note of place number %u names a state that is not declared, or not its own",
                     p);
    if (note->point != POINT_OTHER && note->role != ROLE_CONTROL)
      return err_set(err, ERR_INPUT, "the note of place number %u names a point of a program, but no thread is there",
                     p);
    const bool thread = note->role == ROLE_CONTROL || note->role == ROLE_HELD;
    const bool object = note->role == ROLE_HELD || note->role == ROLE_LOCK || note->role == ROLE_COPY;
    if ((thread && note->thread == NOTE_NONE) || (object && note->object == NOTE_NONE))
      return err_set(err, ERR_INPUT, "the note of place number %u lacks the thread or object that its role needs", p);
  }
  for (uint32_t t = 0; t < n_trans; t++) {
    const TransNote *note = &notes->transitions[t];
    if (!in_range(note->thread, notes->n_threads) || !in_range(note->begin, notes->n_blocks) ||
        !in_range(note->end, notes->n_blocks))
      return err_set(err, ERR_INPUT, "the note of transition number %u names a thread or a block that is not declared",
                     t);
    const AccessList accesses = notes_accesses(notes, t);
    for (uint32_t i = 0; i < accesses.n; i++)
      if (accesses.at[i].object >= notes->n_objects)
        return err_set(err, ERR_INPUT, "the note of transition number %u names an object that is not declared", t);
  }
  return true;
}
