/* Pairs are made when they are first needed, and hoped to be good. Each step of a pair relies on another pair; where
 * that turns out to be none, it looks for the next one that would do, and if there is none its own pair is none either.
 */
#include "colour/simulate.h"

#include "colour/reduce.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* The steps of a model by their states. */
typedef struct {
  uint32_t *start; /* per state, + 1 */
  uint32_t *at;    /* numbers of steps */
} StepIndex;

/* What a reduced state can do, perhaps after silent steps: another step, or nothing. */
typedef struct {
  uint32_t step, to; /* `step` is NONE for nothing */
} Way;

/* A step of a pair, and the pair that it relies on now. */
typedef struct {
  uint32_t pair, step;
  uint32_t tried;     /* how many ways to match it were looked at, see try_way */
  uint32_t relies;    /* on a pair, or NONE: on no other */
  uint32_t next_user; /* of the pair that it relies on, or NONE */
} Duty;

typedef struct {
  StatePair states;
  uint32_t first_duty, n_duties;
  uint32_t users; /* the first duty that relies on it, or NONE */
  bool is_bad, is_needed;
} Pair;

typedef struct {
  Heap *heap;
  Model whole; /* without what never happens or does not matter */
  const Model *reduced;
  const uint32_t *class_of;
  StepIndex whole_steps;
  U32Vec way_start; /* per reduced state, + 1 */
  VEC(Way) ways;
  Intern numbers; /* of pairs */
  VEC(Pair) pairs;
  VEC(Duty) duties;
  U32Vec bad; /* pairs whose users have not been told */
} Simulation;

static void index_steps(Heap *heap, const Model *model, StepIndex *index) {
  const uint32_t n = model->state_thread.n;
  index->start = heap_zeroed(heap, ((size_t)n + 2) * sizeof *index->start);
  index->at = heap_alloc(heap, ((size_t)model->steps.n + 1) * sizeof *index->at);
  for (uint32_t i = 0; i < model->steps.n; i++) index->start[model->steps.at[i].from + 2]++;
  for (uint32_t s = 0; s < n; s++) index->start[s + 2] += index->start[s + 1];
  for (uint32_t i = 0; i < model->steps.n; i++) index->at[index->start[model->steps.at[i].from + 1]++] = i;
}

static void free_index(Heap *heap, StepIndex *index) {
  heap_release(heap, index->start);
  heap_release(heap, index->at);
}

/* ---- steps that do not matter ---- */

static bool touches(const Model *model, const Step *step, uint32_t object) {
  const EffectList effects = model_effects(model, step->label);
  for (uint32_t i = 0; i < effects.n; i++)
    if (effects.at[i].object == object) return true;
  return false;
}

static bool is_red(const Model *model, const Step *step) {
  const EffectList effects = model_effects(model, step->label);
  for (uint32_t i = 0; i < effects.n; i++)
    if (model->objects.at[effects.at[i].object].is_red) return true;
  return false;
}

/* The states of chosen threads. */
static void find_chosen(const Model *model, const StepIndex *index, uint32_t undecided, bool *chosen) {
  U32Vec work = {0};
  for (uint32_t i = 0; i < model->steps.n; i++)
    if (touches(model, &model->steps.at[i], undecided)) vec_push(model->heap, &work, model->steps.at[i].to);
  while (work.n) {
    const uint32_t s = work.at[--work.n];
    if (s == STATE_NONE || chosen[s]) continue;
    chosen[s] = true;
    for (uint32_t i = index->start[s]; i < index->start[s + 1]; i++)
      vec_push(model->heap, &work, model->steps.at[index->at[i]].to);
  }
  vec_fini(model->heap, &work);
}

/* Those of them that can meet red: backwards from it. */
static void find_hopeful(const Model *model, const bool *chosen, bool *hopeful) {
  for (bool changed = true; changed;) {
    changed = false;
    heap_poll(model->heap);
    for (uint32_t i = model->steps.n; i-- > 0;) {
      const Step *step = &model->steps.at[i];
      if (!chosen[step->from] || hopeful[step->from]) continue;
      hopeful[step->from] = step->to == STATE_NONE ? is_red(model, step) : hopeful[step->to];
      changed = changed || hopeful[step->from];
    }
  }
}

/* Drops the steps to chosen states that cannot meet red. True if there were some. */
static bool drop_hopeless(Model *model, uint32_t undecided) {
  Heap *heap = model->heap;
  StepIndex index;
  bool *chosen = heap_zeroed(heap, (size_t)model->state_thread.n + 1);
  bool *hopeful = heap_zeroed(heap, (size_t)model->state_thread.n + 1);
  index_steps(heap, model, &index);
  find_chosen(model, &index, undecided, chosen);
  find_hopeful(model, chosen, hopeful);
  const uint32_t before = model->steps.n;
  uint32_t n = 0;
  for (uint32_t i = 0; i < before; i++) {
    const uint32_t to = model->steps.at[i].to;
    if (to == STATE_NONE || !chosen[to] || hopeful[to]) model->steps.at[n++] = model->steps.at[i];
  }
  model->steps.n = n;
  free_index(heap, &index);
  heap_release(heap, chosen);
  heap_release(heap, hopeful);
  return n < before;
}

/* A copy of the whole model, of its steps and objects at least, that shares what is not changed. */
static void copy_model(Simulation *x, const Model *whole, uint32_t undecided) {
  Model *model = &x->whole;
  *model = *whole;
  arena_init(&model->arena, x->heap);
  model->objects.at = heap_alloc(x->heap, ((size_t)whole->objects.n + 1) * sizeof *model->objects.at);
  memcpy(model->objects.at, whole->objects.at, whole->objects.n * sizeof *model->objects.at);
  model->steps.at = heap_alloc(x->heap, ((size_t)whole->steps.n + 1) * sizeof *model->steps.at);
  if (whole->steps.n) memcpy(model->steps.at, whole->steps.at, whole->steps.n * sizeof *model->steps.at);
  do model_prune(model);
  while (drop_hopeless(model, undecided));
}

static void free_copy(Simulation *x) {
  heap_release(x->heap, x->whole.objects.at);
  heap_release(x->heap, x->whole.steps.at);
  arena_fini(&x->whole.arena);
}

/* ---- what reduced states can do ---- */

/* Puts the reduced state and those that it reaches by silent steps, with their steps, after the ways. */
static void add_ways(Simulation *x, const StepIndex *index, uint32_t state, U32Vec *reached, uint32_t *seen) {
  const Model *reduced = x->reduced;
  vec_clear(reached);
  vec_push(x->heap, reached, state);
  seen[state] = state;
  for (uint32_t i = 0; i < reached->n; i++) {
    const uint32_t at = reached->at[i];
    vec_push(x->heap, &x->ways, ((Way){NONE, at}));
    for (uint32_t k = index->start[at]; k < index->start[at + 1]; k++) {
      const Step *step = &reduced->steps.at[index->at[k]];
      const bool is_silent = step->to != STATE_NONE && !model_effects(reduced, step->label).n;
      if (!is_silent) vec_push(x->heap, &x->ways, ((Way){index->at[k], step->to}));
      if (!is_silent || seen[step->to] == state) continue;
      seen[step->to] = state;
      vec_push(x->heap, reached, step->to);
    }
  }
}

static void find_ways(Simulation *x) {
  const uint32_t n = x->reduced->state_thread.n;
  uint32_t *seen = heap_alloc(x->heap, ((size_t)n + 1) * sizeof *seen);
  StepIndex index;
  U32Vec reached = {0};
  index_steps(x->heap, x->reduced, &index);
  for (uint32_t s = 0; s < n; s++) seen[s] = NONE;
  for (uint32_t s = 0; s < n; s++) {
    heap_poll(x->heap);
    vec_push(x->heap, &x->way_start, x->ways.n);
    add_ways(x, &index, s, &reached, seen);
  }
  vec_push(x->heap, &x->way_start, x->ways.n);
  free_index(x->heap, &index);
  heap_release(x->heap, seen);
  vec_fini(x->heap, &reached);
}

/* ---- pairs ---- */

/* Is the label that of the step, perhaps without tests? */
static bool matches(const Simulation *x, uint32_t label, uint32_t reduced) {
  const EffectList all = model_effects(&x->whole, label), left = model_effects(x->reduced, reduced);
  uint32_t k = 0;
  for (uint32_t i = 0; i < all.n; i++) {
    const Effect *effect = &all.at[i];
    if (k < left.n && left.at[k].object == effect->object) {
      if (left.at[k].pre != effect->pre || left.at[k].post != effect->post) return false;
      k++;
    } else if (effect->pre != effect->post) {
      return false;
    }
  }
  return k == left.n;
}

static uint32_t find_pair(Simulation *x, uint32_t state, uint32_t reduced) {
  const StatePair key = {state, reduced};
  bool is_new;
  const uint32_t number = intern_add(&x->numbers, (const char *)&key, sizeof key, &is_new);
  if (is_new) vec_push(x->heap, &x->pairs, ((Pair){.states = key, .users = NONE}));
  return number;
}

/* May the pair that the duty would rely on be good? Then it does. */
static bool try_pair(Simulation *x, uint32_t duty, uint32_t to, uint32_t reduced) {
  if (to == STATE_NONE) return true;
  const uint32_t pair = find_pair(x, to, reduced);
  if (x->pairs.at[pair].is_bad) return false;
  x->duties.at[duty].relies = pair;
  x->duties.at[duty].next_user = x->pairs.at[pair].users;
  x->pairs.at[pair].users = duty;
  return true;
}

static bool is_match(const Simulation *x, const Step *step, const Way *way) {
  if ((step->to == STATE_NONE) != (way->to == STATE_NONE)) return false;
  return way->step == NONE ? model_label_is_test(&x->whole, step->label)
                           : matches(x, step->label, x->reduced->steps.at[way->step].label);
}

/* All ways twice: first those that lead to where the target should be, then the others. */
static bool try_way(Simulation *x, uint32_t duty, uint32_t from, uint32_t n) {
  const uint32_t number = x->duties.at[duty].tried++;
  const Way *way = &x->ways.at[from + number % n];
  const Step *step = &x->whole.steps.at[x->duties.at[duty].step];
  const uint32_t wanted = step->to == STATE_NONE ? STATE_NONE : x->class_of[step->to];
  return (way->to == wanted) == (number < n) && is_match(x, step, way) && try_pair(x, duty, step->to, way->to);
}

/* False if there is no way left. */
static bool find_way(Simulation *x, uint32_t duty) {
  const uint32_t reduced = x->pairs.at[x->duties.at[duty].pair].states.reduced;
  const uint32_t from = x->way_start.at[reduced], n = x->way_start.at[reduced + 1] - from;
  x->duties.at[duty].relies = NONE;
  while (x->duties.at[duty].tried < 2 * n)
    if (try_way(x, duty, from, n)) return true;
  return false;
}

static void call_bad(Simulation *x, uint32_t pair) {
  if (x->pairs.at[pair].is_bad) return;
  x->pairs.at[pair].is_bad = true;
  vec_push(x->heap, &x->bad, pair);
}

/* Tells those that rely on bad pairs. */
static void spread(Simulation *x) {
  while (x->bad.n) {
    uint32_t duty = x->pairs.at[x->bad.at[--x->bad.n]].users;
    while (duty != NONE) {
      const uint32_t next = x->duties.at[duty].next_user, own = x->duties.at[duty].pair;
      if (!x->pairs.at[own].is_bad && !find_way(x, duty)) call_bad(x, own);
      duty = next;
    }
  }
}

static void expand(Simulation *x, uint32_t pair) {
  const uint32_t state = x->pairs.at[pair].states.state;
  const uint32_t from = x->whole_steps.start[state], n = x->whole_steps.start[state + 1] - from;
  x->pairs.at[pair].first_duty = x->duties.n;
  x->pairs.at[pair].n_duties = n;
  for (uint32_t i = 0; i < n; i++)
    vec_push(x->heap, &x->duties, ((Duty){pair, x->whole_steps.at[from + i], 0, NONE, NONE}));
  for (uint32_t i = 0; i < n && !x->pairs.at[pair].is_bad; i++) {
    if (i % 64 == 63) heap_poll(x->heap);
    if (!find_way(x, x->pairs.at[pair].first_duty + i)) call_bad(x, pair);
  }
  spread(x);
}

static int compare_pairs(const void *a, const void *b) {
  const StatePair *x = a, *y = b;
  if (x->state != y->state) return x->state < y->state ? -1 : 1;
  return (x->reduced > y->reduced) - (x->reduced < y->reduced);
}

/* Those of the initial pairs, the first ones, and what they rely on. */
static void collect(Simulation *x, uint32_t n_initial, StatePairs *pairs) {
  U32Vec work = {0};
  for (uint32_t i = 0; i < n_initial; i++) vec_push(x->heap, &work, i);
  while (work.n) {
    Pair *pair = &x->pairs.at[work.at[--work.n]];
    assert(!pair->is_bad);
    if (pair->is_needed) continue;
    pair->is_needed = true;
    vec_push(x->heap, pairs, pair->states);
    for (uint32_t i = 0; i < pair->n_duties; i++)
      if (x->duties.at[pair->first_duty + i].relies != NONE)
        vec_push(x->heap, &work, x->duties.at[pair->first_duty + i].relies);
  }
  vec_fini(x->heap, &work);
  if (pairs->n > 1) qsort(pairs->at, pairs->n, sizeof *pairs->at, compare_pairs);
}

static bool simulate(Simulation *x, StatePairs *pairs) {
  const uint32_t n = x->whole.initial.n;
  bool good = true;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t pair = find_pair(x, x->whole.initial.at[i], x->reduced->initial.at[i]);
    assert(pair == i); /* each is of another thread */
    (void)pair;
  }
  for (uint32_t i = 0; i < x->pairs.n; i++) {
    if (i % 256 == 0) heap_poll(x->heap);
    expand(x, i);
  }
  for (uint32_t i = 0; i < n; i++) good = good && !x->pairs.at[i].is_bad;
  if (good) collect(x, n, pairs);
  return good;
}

bool model_simulate(const Model *whole, const Model *reduced, const uint32_t *class_of, uint32_t undecided,
                    StatePairs *pairs) {
  Heap *heap = whole->heap;
  Simulation x = {.heap = heap, .reduced = reduced, .class_of = class_of};
  copy_model(&x, whole, undecided);
  index_steps(heap, &x.whole, &x.whole_steps);
  find_ways(&x);
  intern_init(&x.numbers, heap);
  const bool good = simulate(&x, pairs);
  free_index(heap, &x.whole_steps);
  vec_fini(heap, &x.way_start);
  vec_fini(heap, &x.ways);
  free_copy(&x);
  intern_fini(&x.numbers);
  vec_fini(heap, &x.pairs);
  vec_fini(heap, &x.duties);
  vec_fini(heap, &x.bad);
  return good;
}
