#include "colour/expand.h"

#include <assert.h>

typedef VEC(TransId) TransVec;

typedef struct {
  const Model *whole, *reduced;
  const uint32_t *class_of;
  Heap *heap;
  uint32_t *step_start; /* per state of the whole model, + 1 */
  uint32_t *step_index; /* its steps, sorted by `from` */
  uint32_t *state;      /* per thread, of the whole model */
  uint32_t *value;      /* per object, or OBJECT_ABSENT */
  uint32_t *arrived_by; /* per state: the step by which the search came there, UINT32_MAX for its start */
  uint32_t *seen_in;    /* per state: the search that saw it */
  uint32_t search;
  U32Vec queue, path;
  TransVec result;
} Expansion;

static void index_steps(Expansion *x) {
  const Model *whole = x->whole;
  const uint32_t n = whole->state_thread.n;
  x->step_start = heap_zeroed(x->heap, ((size_t)n + 2) * sizeof *x->step_start);
  x->step_index = heap_alloc(x->heap, ((size_t)whole->steps.n + 1) * sizeof *x->step_index);
  for (uint32_t i = 0; i < whole->steps.n; i++) x->step_start[whole->steps.at[i].from + 2]++;
  for (uint32_t s = 0; s < n; s++) x->step_start[s + 2] += x->step_start[s + 1];
  for (uint32_t i = 0; i < whole->steps.n; i++) x->step_index[x->step_start[whole->steps.at[i].from + 1]++] = i;
  assert(x->step_start[n] == whole->steps.n);
}

static bool is_enabled(const Expansion *x, uint32_t label) {
  const EffectList effects = model_effects(x->whole, label);
  for (uint32_t i = 0; i < effects.n; i++)
    if (effects.at[i].pre != OBJECT_ABSENT && x->value[effects.at[i].object] != effects.at[i].pre) return false;
  return true;
}

/* The next effect that changes something, from number i on. */
static const Effect *next_change(EffectList effects, uint32_t *i) {
  for (; *i < effects.n; ++*i)
    if (effects.at[*i].pre != effects.at[*i].post) return &effects.at[(*i)++];
  return NULL;
}

/* Do both labels make the very same changes? */
static bool same_changes(EffectList a, EffectList b) {
  for (uint32_t i = 0, k = 0;;) {
    const Effect *x = next_change(a, &i), *y = next_change(b, &k);
    if (!x || !y) return x == y;
    if (x->object != y->object || x->pre != y->pre || x->post != y->post) return false;
  }
}

static uint32_t class_of_state(const Expansion *x, uint32_t state) {
  return state == STATE_NONE ? STATE_NONE : x->class_of[state];
}

static void see(Expansion *x, uint32_t state, uint32_t by) {
  assert(state < x->whole->state_thread.n); /* its thread has not ended */
  if (x->seen_in[state] == x->search) return;
  x->seen_in[state] = x->search;
  x->arrived_by[state] = by;
  vec_push(x->heap, &x->queue, state);
}

/* Searches the thread's states that it can reach without changing any object for one from which, by *last, it can do
 * what the reduced step does; or, where that changes nothing, for one of the step's own class (*last is UINT32_MAX
 * then). */
static bool find_last(Expansion *x, const Step *wanted, uint32_t *state, uint32_t *last) {
  const EffectList effects = model_effects(x->reduced, wanted->label);
  const bool is_test = model_label_is_test(x->reduced, wanted->label);
  x->search++;
  vec_clear(&x->queue);
  see(x, x->state[x->reduced->state_thread.at[wanted->from]], UINT32_MAX);
  for (uint32_t i = 0; i < x->queue.n; i++) {
    *state = x->queue.at[i];
    *last = UINT32_MAX;
    if (is_test && x->class_of[*state] == wanted->to) return true;
    for (uint32_t k = x->step_start[*state]; k < x->step_start[*state + 1]; k++) {
      const uint32_t number = x->step_index[k];
      const Step *step = &x->whole->steps.at[number];
      if (!is_enabled(x, step->label)) continue;
      *last = number;
      if (class_of_state(x, step->to) == wanted->to && same_changes(model_effects(x->whole, step->label), effects))
        return true;
      if (step->to != STATE_NONE && model_label_is_test(x->whole, step->label)) see(x, step->to, number);
    }
  }
  return false;
}

static void take_step(Expansion *x, uint32_t number) {
  const Step *step = &x->whole->steps.at[number];
  const EffectList effects = model_effects(x->whole, step->label);
  assert(x->state[x->whole->state_thread.at[step->from]] == step->from && is_enabled(x, step->label));
  for (uint32_t i = 0; i < effects.n; i++) x->value[effects.at[i].object] = effects.at[i].post;
  x->state[x->whole->state_thread.at[step->from]] = step->to;
  vec_push(x->heap, &x->result, step->origin);
}

static bool expand_step(Expansion *x, const Step *wanted, Err *err) {
  uint32_t state, last;
  if (!find_last(x, wanted, &state, &last))
    return err_set(err, ERR_CHECK, "a run of the reduced net has no counterpart in the program's net");
  vec_clear(&x->path);
  for (uint32_t by; (by = x->arrived_by[state]) != UINT32_MAX; state = x->whole->steps.at[by].from)
    vec_push(x->heap, &x->path, by);
  while (x->path.n) take_step(x, x->path.at[--x->path.n]);
  if (last != UINT32_MAX) take_step(x, last);
  return true;
}

static void expansion_init(Expansion *x) {
  const Model *whole = x->whole;
  assert(whole->initial.n == whole->n_threads && x->reduced->n_threads == whole->n_threads);
  index_steps(x);
  x->state = heap_alloc(x->heap, ((size_t)whole->n_threads + 1) * sizeof *x->state);
  x->value = heap_alloc(x->heap, ((size_t)whole->objects.n + 1) * sizeof *x->value);
  x->arrived_by = heap_alloc(x->heap, ((size_t)whole->state_thread.n + 1) * sizeof *x->arrived_by);
  x->seen_in = heap_zeroed(x->heap, ((size_t)whole->state_thread.n + 1) * sizeof *x->seen_in);
  for (uint32_t i = 0; i < whole->n_threads; i++) x->state[i] = whole->initial.at[i];
  for (uint32_t o = 0; o < whole->objects.n; o++) x->value[o] = whole->objects.at[o].initial;
}

bool model_expand(const Model *whole, const uint32_t *class_of, const Model *reduced, const uint32_t *run,
                  uint32_t n_run, TransId **steps, uint32_t *n_steps, Err *err) {
  Heap *heap = whole->heap;
  Expansion x = {.whole = whole, .reduced = reduced, .class_of = class_of, .heap = heap};
  expansion_init(&x);
  bool good = true;
  for (uint32_t i = 0; good && i < n_run; i++) {
    assert(run[i] < reduced->steps.n);
    good = expand_step(&x, &reduced->steps.at[run[i]], err);
  }
  heap_release(heap, x.step_start);
  heap_release(heap, x.step_index);
  heap_release(heap, x.state);
  heap_release(heap, x.value);
  heap_release(heap, x.arrived_by);
  heap_release(heap, x.seen_in);
  vec_fini(heap, &x.queue);
  vec_fini(heap, &x.path);
  if (!good) {
    vec_fini(heap, &x.result);
    return false;
  }
  *steps = x.result.at;
  *n_steps = x.result.n;
  return true;
}
