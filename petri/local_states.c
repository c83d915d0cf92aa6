/* A local state of a thread is the set of its marked private places. What its transitions take from objects they find
 * there or not: that is for the unfolder to see. So a transition is tried in every state that has its private inputs;
 * one without any is tried in all. */
#include "base/intern.h"
#include "petri/thread_view_inside.h"

#include <assert.h>
#include <stdlib.h>

enum { MAX_LOCAL_STATES = 1 << 22 };

/* A thread with more has variables of its own, perhaps, that take all combinations of values: in a part of a net those
 * that other threads would use. */
enum { MANY_LOCAL_STATES = 1 << 14 };

bool thread_view_is_private(const Builder *b, uint32_t place) {
  if (b->forced[place]) return false;
  const Family *family = family_of(b, place);
  if (family && family->valid && family->owner == SHARED) return false;
  return b->owner[place] != SHARED && b->owner[place] != NOBODY;
}

typedef struct {
  Builder *builder;
  uint32_t thread;
  Intern states; /* each the bytes of the ascending list of its places */
  VEC(PlaceId) next;
  const U32Vec *free_transitions; /* the thread's transitions without a private input */
} Exploration;

static const char *state_name(Builder *b, uint32_t thread, const PlaceId *places, uint32_t n) {
  if (n) return b->net->place_name[places[0].v];
  return thread < b->notes->n_threads ? b->notes->threads[thread].name : "";
}

static void add_state(Exploration *e, const PlaceId *places, uint32_t n) {
  ThreadView *program = e->builder->program;
  vec_push(program->heap, &program->state_name, state_name(e->builder, e->thread, places, n));
  for (uint32_t i = 0; i < n; i++) vec_push(program->heap, &program->places, places[i]);
  vec_push(program->heap, &program->place_start, program->places.n);
}

static uint32_t intern_state(Exploration *e, const PlaceId *places, uint32_t n) {
  for (uint32_t i = 1; i < n; i++) assert(places[i - 1].v < places[i].v);
  bool is_new;
  const uint32_t number = intern_add(&e->states, (const char *)places, n * sizeof *places, &is_new);
  if (is_new) add_state(e, places, n);
  return number;
}

static bool has_place(const PlaceId *places, uint32_t n, PlaceId p) {
  return net_place_list_has((PlaceList){places, n}, p);
}

/* The first private input of t, or PLACE_NONE. */
static PlaceId first_private(const Builder *b, TransId t) {
  const PlaceList pre = net_pre(b->net, t);
  for (uint32_t i = 0; i < pre.n; i++)
    if (thread_view_is_private(b, pre.at[i].v)) return pre.at[i];
  return PLACE_NONE;
}

/* Is the control token of that thread on one of the places? */
static bool has_control(const Builder *b, const PlaceId *places, uint32_t n, uint32_t thread) {
  for (uint32_t i = 0; i < n; i++) {
    const PlaceNote *note = &b->notes->places[places[i].v];
    if (note->role == ROLE_CONTROL && note->thread == thread) return true;
  }
  return false;
}

/* Its private inputs must be marked. A control token that it takes from an object must not be on one of the places:
 * there is only one of each thread. */
static bool is_enabled(const Builder *b, TransId t, const PlaceId *places, uint32_t n) {
  const PlaceList pre = net_pre(b->net, t);
  for (uint32_t i = 0; i < pre.n; i++) {
    const PlaceNote *note = &b->notes->places[pre.at[i].v];
    if (thread_view_is_private(b, pre.at[i].v)) {
      if (!has_place(places, n, pre.at[i])) return false;
    } else if (note->role == ROLE_CONTROL && has_control(b, places, n, note->thread)) {
      return false;
    }
  }
  return true;
}

static int compare_places(const void *a, const void *b) {
  const uint32_t x = ((const PlaceId *)a)->v, y = ((const PlaceId *)b)->v;
  return (x > y) - (x < y);
}

/* The local state after t, in e->next. False if a private place would get a second token: as far as the thread itself
 * knows that could happen, as when it acquires a lock that it holds. Then the place becomes an object, for the unfolder
 * to see. */
static bool fire_locally(Exploration *e, TransId t, const PlaceId *places, uint32_t n) {
  Builder *b = e->builder;
  const PlaceList pre = net_pre(b->net, t), post = net_post(b->net, t);
  Heap *heap = b->program->heap;
  vec_clear(&e->next);
  for (uint32_t i = 0; i < n; i++)
    if (!net_place_list_has(pre, places[i])) vec_push(heap, &e->next, places[i]);
  const uint32_t kept = e->next.n;
  for (uint32_t i = 0; i < post.n; i++) {
    if (!thread_view_is_private(b, post.at[i].v)) continue;
    if (has_place(e->next.at, kept, post.at[i])) {
      b->forced[post.at[i].v] = b->again = true;
      return false;
    }
    vec_push(heap, &e->next, post.at[i]);
  }
  if (e->next.n > 1) qsort(e->next.at, e->next.n, sizeof *e->next.at, compare_places);
  return true;
}

static bool add_move(Exploration *e, TransId t, const PlaceId *places, uint32_t n) {
  ThreadView *program = e->builder->program;
  if (!fire_locally(e, t, places, n)) return false;
  const uint32_t first = program->state_start[e->thread];
  vec_push(program->heap, &program->moves, ((Move){t, first + intern_state(e, e->next.at, e->next.n)}));
  return true;
}

static int compare_moves(const void *a, const void *b) {
  const uint32_t x = ((const Move *)a)->transition.v, y = ((const Move *)b)->transition.v;
  return (x > y) - (x < y);
}

static bool expand_state(Exploration *e, uint32_t state) {
  Builder *b = e->builder;
  ThreadView *program = b->program;
  const PlaceId *places = (const PlaceId *)(const void *)e->states.strings.at[state];
  const uint32_t n = e->states.lengths.at[state] / (uint32_t)sizeof *places;
  const uint32_t first_move = program->moves.n;
  assert(program->move_start.n == program->state_start[e->thread] + state + 1);
  assert(vec_last(&program->move_start) == first_move);
  for (uint32_t i = 0; i < n; i++) {
    const TransList out = net_consumers(b->net, places[i]);
    for (uint32_t k = 0; k < out.n; k++)
      if (first_private(b, out.at[k]).v == places[i].v && is_enabled(b, out.at[k], places, n) &&
          !add_move(e, out.at[k], places, n))
        return false;
  }
  for (uint32_t i = 0; i < e->free_transitions->n; i++) {
    const TransId t = {e->free_transitions->at[i]};
    if (is_enabled(b, t, places, n) && !add_move(e, t, places, n)) return false;
  }
  Move *moves = program->moves.at + first_move;
  const uint32_t n_moves = program->moves.n - first_move;
  if (n_moves > 1) qsort(moves, n_moves, sizeof *moves, compare_moves);
  vec_push(program->heap, &program->move_start, program->moves.n);
  return true;
}

/* Makes objects of the thread's variables. False: it has none. */
static bool force_variables(Exploration *e) {
  Builder *b = e->builder;
  bool any = false;
  for (uint32_t p = 0; p < b->net->n_places; p++) {
    if (!family_of(b, p) || b->owner[p] != e->thread || !thread_view_is_private(b, p)) continue;
    b->forced[p] = b->again = any = true;
  }
  return any;
}

static bool explore_thread(Exploration *e, const U32Vec *marked, Err *err) {
  ThreadView *program = e->builder->program;
  vec_clear(&e->next);
  for (uint32_t i = 0; i < marked->n; i++) vec_push(program->heap, &e->next, ((PlaceId){marked->at[i]}));
  intern_state(e, e->next.at, e->next.n);
  for (uint32_t s = 0; s < e->states.strings.n; s++) {
    if (s == MANY_LOCAL_STATES && force_variables(e)) return false;
    if (program->state_name.n > MAX_LOCAL_STATES)
      return err_set(err, ERR_LIMIT, "the threads have more than %d local states", MAX_LOCAL_STATES);
    if (!expand_state(e, s)) return false;
  }
  return true;
}

/* The numbers 0 .. n_items - 1 by thread; `thread` says whose each is, NOBODY for none. */
static U32Vec *group_by_thread(Heap *heap, const uint32_t *thread, uint32_t n_items, uint32_t n_threads) {
  U32Vec *groups = heap_zeroed(heap, ((size_t)n_threads + 1) * sizeof *groups);
  for (uint32_t i = 0; i < n_items; i++) {
    assert(thread[i] == NOBODY || thread[i] < n_threads);
    if (thread[i] != NOBODY) vec_push(heap, &groups[thread[i]], i);
  }
  return groups;
}

static void free_groups(Heap *heap, U32Vec *groups, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) vec_fini(heap, &groups[i]);
  heap_release(heap, groups);
}

bool local_states_explore(Builder *b, Err *err) {
  ThreadView *program = b->program;
  Heap *heap = program->heap;
  uint32_t *place_thread = heap_alloc(heap, ((size_t)b->net->n_places + 1) * sizeof *place_thread);
  uint32_t *free_thread = heap_alloc(heap, ((size_t)b->net->n_trans + 1) * sizeof *free_thread);
  for (uint32_t p = 0; p < b->net->n_places; p++)
    place_thread[p] = b->net->marked[p] && thread_view_is_private(b, p) ? b->owner[p] : NOBODY;
  for (uint32_t t = 0; t < b->net->n_trans; t++)
    free_thread[t] = first_private(b, (TransId){t}).v == PLACE_NONE.v ? program->thread_of[t] : NOBODY;
  U32Vec *marked = group_by_thread(heap, place_thread, b->net->n_places, program->n_threads);
  U32Vec *free_transitions = group_by_thread(heap, free_thread, b->net->n_trans, program->n_threads);
  heap_release(heap, place_thread);
  heap_release(heap, free_thread);

  program->state_start = arena_zeroed(&program->arena, (size_t)program->n_threads + 1, sizeof *program->state_start);
  vec_push(heap, &program->move_start, 0);
  vec_push(heap, &program->place_start, 0);
  bool good = true;
  for (uint32_t i = 0; good && i < program->n_threads; i++) {
    Exploration e = {.builder = b, .thread = i, .free_transitions = &free_transitions[i]};
    intern_init(&e.states, heap);
    program->state_start[i] = program->state_name.n;
    good = explore_thread(&e, &marked[i], err);
    intern_fini(&e.states);
    vec_fini(heap, &e.next);
    program->state_start[i + 1] = program->state_name.n;
  }
  assert(!good || program->move_start.n == program->state_name.n + 1);
  free_groups(heap, marked, program->n_threads);
  free_groups(heap, free_transitions, program->n_threads);
  return good;
}
