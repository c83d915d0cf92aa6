#include "colour/covered.h"

#include "base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A test: effect number `effect` of a step changes nothing. Those of one state with the same `to`, object and other
 * effects differ in the value only, so they cover all values if there are as many as values that can occur. */
typedef struct {
  uint64_t rest; /* the sum of the hashes of the other effects */
  uint32_t to, object;
  uint32_t step; /* among those of the state */
  uint32_t effect;
} Test;

typedef struct {
  Model *model;
  StepVec *steps;
  uint32_t *reached; /* per object: how many values can occur */
  VEC(uint64_t) sum; /* per label, as far as was asked: the sum of the hashes of its effects */
  VEC(Test) tests;   /* of one state */
  U32Vec first;      /* per step of that state: its first test that is covered, or NOT_COVERED */
} Covering;

#define NOT_COVERED UINT32_MAX

static int compare_steps(const void *a, const void *b) {
  const Step *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  if (x->label != y->label) return x->label < y->label ? -1 : 1;
  if (x->to != y->to) return x->to < y->to ? -1 : 1;
  return (x->origin.v > y->origin.v) - (x->origin.v < y->origin.v);
}

static void sort_steps(StepVec *steps) {
  if (steps->n > 1) qsort(steps->at, steps->n, sizeof *steps->at, compare_steps);
  uint32_t n = 0;
  for (uint32_t i = 0; i < steps->n; i++) {
    const Step *s = &steps->at[i], *last = n ? &steps->at[n - 1] : NULL;
    if (!last || last->from != s->from || last->label != s->label || last->to != s->to) steps->at[n++] = *s;
  }
  steps->n = n;
}

static uint32_t count_reached(const ModelObject *object) {
  uint32_t n = 0;
  for (uint32_t v = 0; v < object->n_values; v++) n += object->reached[v];
  return n;
}

/* The label without its effect number i. */
static uint32_t label_without(Model *model, uint32_t label, uint32_t i) {
  const EffectList effects = model_effects(model, label);
  assert(i < effects.n);
  Effect *rest = heap_alloc(model->heap, effects.n * sizeof *rest);
  memcpy(rest, effects.at, i * sizeof *rest);
  memcpy(rest + i, effects.at + i + 1, (effects.n - i - 1) * sizeof *rest);
  const uint32_t result = model_label(model, rest, effects.n - 1);
  heap_release(model->heap, rest);
  return result;
}

static uint64_t hash_effect(const Effect *effect) { return hash_bytes(effect, sizeof *effect); }

static uint64_t sum_of(Covering *c, uint32_t label) {
  for (uint32_t i = c->sum.n; i <= label; i++) {
    const EffectList effects = model_effects(c->model, i);
    uint64_t sum = 0;
    for (uint32_t k = 0; k < effects.n; k++) sum += hash_effect(&effects.at[k]);
    vec_push(c->model->heap, &c->sum, sum);
  }
  return c->sum.at[label];
}

static int compare_tests(const void *a, const void *b) {
  const Test *x = a, *y = b;
  if (x->to != y->to) return x->to < y->to ? -1 : 1;
  if (x->object != y->object) return x->object < y->object ? -1 : 1;
  return (x->rest > y->rest) - (x->rest < y->rest);
}

/* The tests of the steps first .. behind - 1, which are those of one state. */
static void find_tests(Covering *c, uint32_t first, uint32_t behind) {
  vec_clear(&c->tests);
  for (uint32_t s = first; s < behind; s++) {
    const Step *step = &c->steps->at[s];
    const EffectList effects = model_effects(c->model, step->label);
    for (uint32_t i = 0; i < effects.n; i++) {
      const Effect *effect = &effects.at[i];
      if (effect->pre != effect->post || c->model->objects.at[effect->object].is_token) continue;
      assert(c->model->objects.at[effect->object].reached[effect->pre]); /* else the count would say nothing */
      const uint64_t rest = sum_of(c, step->label) - hash_effect(effect);
      vec_push(c->model->heap, &c->tests, ((Test){rest, step->to, effect->object, s - first, i}));
    }
  }
  if (c->tests.n > 1) qsort(c->tests.at, c->tests.n, sizeof *c->tests.at, compare_tests);
}

/* Do the steps of both tests, which are of one object, have the same other effects? */
static bool has_same_rest(const Covering *c, uint32_t first_step, const Test *x, const Test *y) {
  const EffectList a = model_effects(c->model, c->steps->at[first_step + x->step].label),
                   b = model_effects(c->model, c->steps->at[first_step + y->step].label);
  const size_t before = x->effect * sizeof *a.at, behind = (a.n - x->effect - 1) * sizeof *a.at;
  return a.n == b.n && x->effect == y->effect && !memcmp(a.at, b.at, before) &&
         !memcmp(a.at + x->effect + 1, b.at + x->effect + 1, behind);
}

/* Are the tests first[0 .. n), which sort alike, all alike but for the value, and as many as there are values? */
static bool is_covered(const Covering *c, uint32_t first_step, const Test *first, uint32_t n) {
  if (n < c->reached[first->object]) return false;
  for (uint32_t i = 1; i < n; i++)
    if (!has_same_rest(c, first_step, first, first + i)) return false; /* two hashes are alike by chance */
  return true;
}

/* Notes, for each of n_steps steps from number first_step on, its first test that is covered. */
static void find_covered(Covering *c, uint32_t first_step, uint32_t n_steps) {
  vec_clear(&c->first);
  for (uint32_t i = 0; i < n_steps; i++) vec_push(c->model->heap, &c->first, NOT_COVERED);
  for (uint32_t i = 0, behind; i < c->tests.n; i = behind) {
    const Test *first = &c->tests.at[i];
    for (behind = i + 1; behind < c->tests.n && !compare_tests(first, &c->tests.at[behind]);) behind++;
    if (!is_covered(c, first_step, first, behind - i)) continue;
    for (const Test *test = first; test < c->tests.at + behind; test++)
      if (c->first.at[test->step] > test->effect) c->first.at[test->step] = test->effect;
  }
}

/* Drops from each step one test that, together with others like it, covers all values. False if there was none. */
static bool drop_one_each(Covering *c) {
  StepVec *steps = c->steps;
  bool dropped = false;
  for (uint32_t first = 0, behind; first < steps->n; first = behind) {
    for (behind = first + 1; behind < steps->n && steps->at[behind].from == steps->at[first].from;) behind++;
    find_tests(c, first, behind);
    if (!c->tests.n) continue;
    find_covered(c, first, behind - first);
    for (uint32_t i = 0; i < behind - first; i++) {
      Step *step = &steps->at[first + i];
      if (c->first.at[i] == NOT_COVERED) continue;
      step->label = label_without(c->model, step->label, c->first.at[i]);
      dropped = true;
    }
  }
  return dropped;
}

void covered_drop(Model *model, StepVec *steps) {
  Heap *heap = model->heap;
  const uint32_t n = model->objects.n;
  Covering c = {.model = model, .steps = steps};
  c.reached = heap_alloc(heap, ((size_t)n + 1) * sizeof *c.reached);
  for (uint32_t o = 0; o < n; o++) c.reached[o] = count_reached(&model->objects.at[o]);
  do {
    sort_steps(steps);
    heap_poll(heap);
  } while (drop_one_each(&c));
  heap_release(heap, c.reached);
  vec_fini(heap, &c.sum);
  vec_fini(heap, &c.tests);
  vec_fini(heap, &c.first);
}
