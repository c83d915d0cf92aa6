#include "colour/moves.h"

#include "colour/covered.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint32_t count_accesses(const ThreadView *program, TransId t) {
  return program->access_start[t.v + 1] - program->access_start[t.v];
}

static const ViewAccess *accesses_of(const ThreadView *program, TransId t) {
  return program->accesses.at + program->access_start[t.v];
}

static bool is_tracked(const ThreadView *program, uint32_t object) {
  return program->objects.at[object].is_token || program->objects.at[object].n_values > 1;
}

/* ---- as they are ---- */

static void copy_moves(ColourMoves *moves) {
  const ThreadView *program = moves->program;
  for (uint32_t s = 0; s < program->move_start.n; s++) vec_push(moves->heap, &moves->start, program->move_start.at[s]);
  for (uint32_t i = 0; i < program->moves.n; i++) {
    const TransId t = program->moves.at[i].transition;
    const ColourMove move = {t, program->moves.at[i].to, accesses_of(program, t), count_accesses(program, t)};
    vec_push(moves->heap, &moves->moves, move);
  }
}

/* ---- merged ---- */

/* The program as a model: its objects, with the same numbers, and one more, a token, whose value says what else makes
 * two moves different. */
typedef struct {
  ColourMoves *moves;
  Model model;
  Intern kinds;
  U32Vec words;
  VEC(Effect) effects;
} Merging;

static void add_objects(Merging *m) {
  const ThreadView *program = m->moves->program;
  for (uint32_t o = 0; o < program->objects.n; o++) {
    const ViewObject *object = &program->objects.at[o];
    model_add_object(&m->model, object->name, object->is_token, object->n_values, object->initial);
  }
  for (uint32_t i = 0; i < program->moves.n; i++) {
    const TransId t = program->moves.at[i].transition;
    for (uint32_t k = 0; k < count_accesses(program, t); k++) {
      const ViewAccess *access = &accesses_of(program, t)[k];
      if (access->post != VALUE_ABSENT) m->model.objects.at[access->object].reached[access->post] = true;
    }
  }
}

/* What a transition begins and ends, and what it reads and writes. */
static uint32_t kind_of(Merging *m, TransId t) {
  const ThreadView *program = m->moves->program;
  Heap *heap = m->moves->heap;
  const TransNote *note = &program->net->notes->transitions[t.v];
  vec_clear(&m->words);
  vec_push(heap, &m->words, note->begin);
  vec_push(heap, &m->words, note->end);
  for (uint32_t i = 0; i < count_accesses(program, t); i++) {
    const ViewAccess *access = &accesses_of(program, t)[i];
    vec_push(heap, &m->words, access->object);
    vec_push(heap, &m->words, access->writes);
  }
  return intern_add(&m->kinds, (const char *)m->words.at, m->words.n * sizeof *m->words.at, NULL);
}

static uint32_t label_of(Merging *m, TransId t) {
  const ThreadView *program = m->moves->program;
  const uint32_t kind = kind_of(m, t);
  vec_clear(&m->effects);
  for (uint32_t i = 0; i < count_accesses(program, t); i++) {
    const ViewAccess *access = &accesses_of(program, t)[i];
    if (is_tracked(program, access->object))
      vec_push(m->moves->heap, &m->effects, ((Effect){access->object, access->pre, access->post}));
  }
  vec_push(m->moves->heap, &m->effects, ((Effect){program->objects.n, kind, kind}));
  return model_label(&m->model, m->effects.at, m->effects.n);
}

static void add_steps(Merging *m) {
  const ThreadView *program = m->moves->program;
  for (uint32_t s = 0; s + 1 < program->move_start.n; s++)
    for (uint32_t i = program->move_start.at[s]; i < program->move_start.at[s + 1]; i++) {
      const Move *move = &program->moves.at[i];
      vec_push(m->moves->heap, &m->model.steps, ((Step){s, move->to, label_of(m, move->transition), move->transition}));
    }
  model_add_object(&m->model, "kind", true, m->kinds.strings.n, OBJECT_ABSENT);
}

static int compare_origins(const void *a, const void *b) {
  const Step *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return (x->origin.v > y->origin.v) - (x->origin.v < y->origin.v);
}

/* In the order that they had: by state, then by transition. */
static void drop_tests(Merging *m) {
  StepVec *steps = &m->model.steps;
  covered_drop(&m->model, steps);
  if (steps->n > 1) qsort(steps->at, steps->n, sizeof *steps->at, compare_origins);
}

/* The accesses of the step's transition, without the tests that its label does not have any more. */
static void write_accesses(const Merging *m, const Step *step, ViewAccess *accesses) {
  const ThreadView *program = m->moves->program;
  const EffectList effects = model_effects(&m->model, step->label);
  const uint32_t n = count_accesses(program, step->origin);
  if (n) memcpy(accesses, accesses_of(program, step->origin), n * sizeof *accesses);
  for (uint32_t i = 0, k = 0; i < n; i++) {
    if (!is_tracked(program, accesses[i].object)) continue;
    if (effects.at[k].object == accesses[i].object) k++;
    else accesses[i].pre = accesses[i].post = VALUE_ANY;
  }
}

static void write_moves(Merging *m) {
  ColourMoves *moves = m->moves;
  const StepVec *steps = &m->model.steps;
  uint64_t n = 0;
  for (uint32_t i = 0; i < steps->n; i++) n += count_accesses(moves->program, steps->at[i].origin);
  moves->accesses = heap_alloc(moves->heap, heap_product(moves->heap, n + 1, sizeof *moves->accesses));
  ViewAccess *at = moves->accesses;
  for (uint32_t i = 0; i < steps->n; i++) {
    const Step *step = &steps->at[i];
    const uint32_t n_accesses = count_accesses(moves->program, step->origin);
    while (moves->start.n <= step->from) vec_push(moves->heap, &moves->start, i);
    write_accesses(m, step, at);
    vec_push(moves->heap, &moves->moves, ((ColourMove){step->origin, step->to, at, n_accesses}));
    at += n_accesses;
  }
  while (moves->start.n < moves->program->move_start.n) vec_push(moves->heap, &moves->start, steps->n);
}

static void merge_moves(ColourMoves *moves) {
  Heap *heap = moves->heap;
  Merging m = {.moves = moves};
  model_init(&m.model, heap);
  intern_init(&m.kinds, heap);
  add_objects(&m);
  add_steps(&m);
  drop_tests(&m);
  write_moves(&m);
  model_fini(&m.model);
  intern_fini(&m.kinds);
  vec_fini(heap, &m.words);
  vec_fini(heap, &m.effects);
}

void moves_init(ColourMoves *moves, Heap *heap, const ThreadView *program, bool merge) {
  *moves = (ColourMoves){.heap = heap, .program = program};
  if (merge) merge_moves(moves);
  else copy_moves(moves);
  assert(moves->start.n == program->move_start.n);
}

void moves_fini(ColourMoves *moves) {
  vec_fini(moves->heap, &moves->start);
  vec_fini(moves->heap, &moves->moves);
  heap_release(moves->heap, moves->accesses);
}

/* ---- a run of the program ---- */

static bool is_enabled(const ThreadView *program, const uint32_t *value, TransId t) {
  for (uint32_t i = 0; i < count_accesses(program, t); i++) {
    const ViewAccess *access = &accesses_of(program, t)[i];
    if (access->pre != VALUE_ABSENT && value[access->object] != access->pre) return false;
  }
  return true;
}

/* Does t do what the other transition does, but for the values that are tested? */
static bool does_same(const ThreadView *program, TransId t, TransId other) {
  const TransNote *a = &program->net->notes->transitions[t.v], *b = &program->net->notes->transitions[other.v];
  if (a->begin != b->begin || a->end != b->end || count_accesses(program, t) != count_accesses(program, other))
    return false;
  for (uint32_t i = 0; i < count_accesses(program, t); i++) {
    const ViewAccess *x = &accesses_of(program, t)[i], *y = &accesses_of(program, other)[i];
    if (x->object != y->object || x->writes != y->writes || (x->pre == x->post) != (y->pre == y->post)) return false;
    if (x->pre != x->post && (x->pre != y->pre || x->post != y->post)) return false;
  }
  return true;
}

/* The move of the local state by that transition. */
static const Move *move_by(const ThreadView *program, uint32_t local, TransId t) {
  for (uint32_t i = program->move_start.at[local]; i < program->move_start.at[local + 1]; i++)
    if (program->moves.at[i].transition.v == t.v) return &program->moves.at[i];
  return NULL;
}

/* In place of the transition, maybe that one itself; NULL if there is none. */
static const Move *settle(const ThreadView *program, const uint32_t *value, uint32_t local, TransId t) {
  const Move *move = move_by(program, local, t);
  if (!move || is_enabled(program, value, t)) return move;
  for (uint32_t i = program->move_start.at[local]; i < program->move_start.at[local + 1]; i++) {
    const Move *other = &program->moves.at[i];
    if (other->to == move->to && is_enabled(program, value, other->transition) &&
        does_same(program, other->transition, t))
      return other;
  }
  return NULL;
}

static void take(const ThreadView *program, uint32_t *value, TransId t) {
  for (uint32_t i = 0; i < count_accesses(program, t); i++)
    value[accesses_of(program, t)[i].object] = accesses_of(program, t)[i].post;
}

bool moves_settle(const ThreadView *program, TransId *run, uint32_t n, Err *err) {
  Heap *heap = program->heap;
  uint32_t *value = heap_alloc(heap, ((size_t)program->objects.n + 1) * sizeof *value);
  uint32_t *local = heap_alloc(heap, ((size_t)program->n_threads + 1) * sizeof *local);
  for (uint32_t o = 0; o < program->objects.n; o++) value[o] = program->objects.at[o].initial;
  for (uint32_t i = 0; i < program->n_threads; i++) local[i] = program->state_start[i];
  bool good = true;
  for (uint32_t i = 0; i < n && good; i++) {
    const uint32_t thread = program->thread_of[run[i].v];
    const Move *move = settle(program, value, local[thread], run[i]);
    good = move != NULL;
    if (!good) break;
    run[i] = move->transition;
    local[thread] = move->to;
    take(program, value, run[i]);
  }
  heap_release(heap, value);
  heap_release(heap, local);
  return good || err_set(err, ERR_CHECK, "a run of the reduced net has no counterpart in the program's net");
}
