#include "petri/thread_view_inside.h"
#include "petri/sequential.h"

#include <assert.h>
#include <stdlib.h>

/* ---- whose is a place? ---- */

static void assign_threads(Builder *b) {
  ThreadView *program = b->program;
  program->thread_of = arena_alloc(&program->arena, b->net->n_trans * sizeof *program->thread_of);
  program->n_threads = b->notes->n_threads;
  for (uint32_t t = 0; t < b->net->n_trans; t++) {
    const uint32_t thread = b->notes->transitions[t].thread;
    program->thread_of[t] = thread == NOTE_NONE ? program->n_threads++ : thread;
  }
}

static void assign_owners(Builder *b) {
  for (uint32_t p = 0; p < b->net->n_places; p++) {
    b->owner[p] = NOBODY;
    const TransList in = net_producers(b->net, (PlaceId){p}), out = net_consumers(b->net, (PlaceId){p});
    for (uint32_t i = 0; i < in.n; i++) join_owner(&b->owner[p], b->program->thread_of[in.at[i].v]);
    for (uint32_t i = 0; i < out.n; i++) join_owner(&b->owner[p], b->program->thread_of[out.at[i].v]);
  }
}

/* ---- objects and accesses ---- */

static bool is_of_lock(const Notes *notes, uint32_t place) {
  const PlaceNote *note = &notes->places[place];
  return (note->role == ROLE_LOCK || note->role == ROLE_COPY) && notes->objects[note->object].kind == OBJECT_LOCK;
}

static void add_objects(Builder *b) {
  ThreadView *program = b->program;
  for (uint32_t o = 0; o < b->notes->n_objects; o++) {
    Family *family = &b->families[o];
    if (!family->used || !family->valid || family->owner != SHARED) continue;
    const NoteObject *note = &b->notes->objects[o];
    assert(family->initial < (note->n_values ? note->n_values : 1));
    family->object = program->objects.n;
    const ViewObject object = {note->name,           note->kind == OBJECT_LOCK,           false,
                               family->n_copies > 1, note->n_values ? note->n_values : 1, family->initial};
    vec_push(program->heap, &program->objects, object);
  }
  for (uint32_t p = 0; p < b->net->n_places; p++) {
    const Family *family = family_of(b, p);
    b->token[p] = NOTE_NONE;
    if (!b->forced[p] && (b->owner[p] != SHARED || (family && family->valid))) continue;
    b->token[p] = program->objects.n;
    const uint32_t initial = b->net->marked[p] ? 0 : VALUE_ABSENT;
    const ViewObject object = {b->net->place_name[p], is_of_lock(b->notes, p), true, false, 1, initial};
    vec_push(program->heap, &program->objects, object);
  }
}

/* Which object each place is a part of. */
static void find_parts(Builder *b) {
  ThreadView *program = b->program;
  program->place_object = arena_alloc(&program->arena, ((size_t)b->net->n_places + 1) * sizeof *program->place_object);
  program->place_value = arena_zeroed(&program->arena, (size_t)b->net->n_places + 1, sizeof *program->place_value);
  for (uint32_t p = 0; p < b->net->n_places; p++) {
    const Family *family = family_of(b, p);
    program->place_object[p] = b->token[p];
    if (b->token[p] != NOTE_NONE || !family || !family->valid || family->owner != SHARED) continue;
    program->place_object[p] = family->object;
    program->place_value[p] = b->notes->places[p].value;
  }
}

/* The tokens that t takes, puts, or both. */
static void add_token_accesses(Builder *b, TransId t) {
  ThreadView *program = b->program;
  const PlaceList pre = net_pre(b->net, t), post = net_post(b->net, t);
  for (uint32_t i = 0; i < pre.n; i++)
    if (b->token[pre.at[i].v] != NOTE_NONE) {
      const bool returned = net_place_list_has(post, pre.at[i]);
      vec_push(program->heap, &program->accesses,
               ((ViewAccess){b->token[pre.at[i].v], true, 0, returned ? 0 : VALUE_ABSENT}));
    }
  for (uint32_t i = 0; i < post.n; i++)
    if (b->token[post.at[i].v] != NOTE_NONE && !net_place_list_has(pre, post.at[i]))
      vec_push(program->heap, &program->accesses, ((ViewAccess){b->token[post.at[i].v], true, VALUE_ABSENT, 0}));
}

static int compare_accesses(const void *a, const void *b) {
  const uint32_t x = ((const ViewAccess *)a)->object, y = ((const ViewAccess *)b)->object;
  return (x > y) - (x < y);
}

static void add_accesses(Builder *b) {
  ThreadView *program = b->program;
  program->access_start = arena_zeroed(&program->arena, (size_t)b->net->n_trans + 1, sizeof *program->access_start);
  for (uint32_t t = 0; t < b->net->n_trans; t++) {
    const uint32_t from = program->access_start[t];
    families_add_accesses(b, (TransId){t});
    add_token_accesses(b, (TransId){t});
    if (program->accesses.n - from > 1)
      qsort(program->accesses.at + from, program->accesses.n - from, sizeof *program->accesses.at, compare_accesses);
    for (uint32_t i = from + 1; i < program->accesses.n; i++)
      assert(program->accesses.at[i - 1].object < program->accesses.at[i].object); /* one each */
    program->access_start[t + 1] = program->accesses.n;
  }
}

/* ---- the whole ---- */

static bool build(Builder *b, Err *err) {
  assign_threads(b);
  assign_owners(b);
  families_find(b);
  add_objects(b);
  find_parts(b);
  add_accesses(b);
  if (!local_states_explore(b, err)) return false;
  twins_find(b->program);
  return true;
}

/* One attempt; forced[] is as the last one left it. */
static bool try_build(ThreadView *program, Heap *heap, const Net *net, bool *forced, bool *again, Err *err) {
  *program = (ThreadView){.heap = heap, .net = net};
  arena_init(&program->arena, heap);
  Builder b = {.program = program, .net = net, .notes = net->notes, .forced = forced};
  b.owner = heap_alloc(heap, ((size_t)net->n_places + 1) * sizeof *b.owner);
  b.token = heap_alloc(heap, ((size_t)net->n_places + 1) * sizeof *b.token);
  b.copy_index = heap_zeroed(heap, ((size_t)net->n_places + 1) * sizeof *b.copy_index);
  b.families = heap_zeroed(heap, ((size_t)net->notes->n_objects + 1) * sizeof *b.families);
  const bool good = build(&b, err);
  *again = b.again;
  heap_release(heap, b.owner);
  heap_release(heap, b.token);
  heap_release(heap, b.copy_index);
  heap_release(heap, b.families);
  heap_release(heap, b.reader_start);
  heap_release(heap, b.reader);
  vec_fini(heap, &b.before);
  vec_fini(heap, &b.after);
  if (!good) thread_view_fini(program);
  return good;
}

bool thread_view_init(ThreadView *program, Heap *heap, const Net *net, Err *err) {
  if (!sequential_check(heap, net, err)) return false;
  bool *forced = heap_zeroed(heap, (size_t)net->n_places + 1), good, again;
  do good = try_build(program, heap, net, forced, &again, err);
  while (again);
  heap_release(heap, forced);
  return good;
}

void thread_view_fini(ThreadView *program) {
  Heap *heap = program->heap;
  vec_fini(heap, &program->objects);
  vec_fini(heap, &program->accesses);
  vec_fini(heap, &program->move_start);
  vec_fini(heap, &program->moves);
  vec_fini(heap, &program->state_name);
  vec_fini(heap, &program->place_start);
  vec_fini(heap, &program->places);
  arena_fini(&program->arena);
}
