#include "colour/reduce.h"

#include "base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_ROUNDS = 50, /* of partition refinement; where these do not suffice the states are left as they are */
  FEW_STEPS = 16,  /* silent steps looked ahead for outs of no use, and outs with one label compared for that */
  MOST_CLOSED = 64 /* outs that a state takes over from one that it steps to silently */
};

typedef VEC(Step) StepVec;

/* A labelled step to a component, later to a class. */
typedef struct {
  uint32_t label, to; /* `to` may be STATE_NONE */
} Out;
typedef VEC(Out) OutVec;

typedef struct {
  const Model *in;
  Heap *heap;
  Model *out;
  uint32_t undecided;
  uint32_t silent;      /* the label without effects, of `out` */
  StepVec steps;        /* the steps of `in` with labels of `out`, sorted */
  uint32_t *step_start; /* per state of `in`, + 1 */
  uint32_t n_components;
  uint32_t *component;          /* per state of `in` */
  U32Vec member_start, members; /* states by component */
  U32Vec alias;                 /* per component: the component that it is replaced by, maybe itself */
  U32Vec component_thread;
  uint32_t *out_start; /* per component, + 1 */
  OutVec outs;         /* labelled steps of a component and of all that it reaches silently, sorted */
  uint32_t *class_of;  /* per component */
  uint32_t n_classes;
} Reduction;

/* ---- steps, and tests that are always passed ---- */

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

/* A test: effect number `effect` of step `step` changes nothing. Those of one state with the same `to`, object and
 * other effects differ in the value only, so they cover all values if there are as many as values that can occur. */
typedef struct {
  uint64_t rest; /* the sum of the hashes of the other effects */
  uint32_t to, object, step, effect;
} Test;

typedef struct {
  VEC(Test) tests;         /* of one state */
  U32Vec first;            /* per step of that state: its first test that is covered, or NOT_COVERED */
  VEC(uint64_t) sum;       /* per label, as far as was asked: the sum of the hashes of its effects */
  const uint32_t *reached; /* per object: how many values can occur */
} Tests;

#define NOT_COVERED UINT32_MAX

static uint64_t hash_effect(const Effect *effect) { return hash_bytes(effect, sizeof *effect); }

static uint64_t sum_of(Tests *tests, const Model *model, uint32_t label) {
  for (uint32_t i = tests->sum.n; i <= label; i++) {
    const EffectList effects = model_effects(model, i);
    uint64_t sum = 0;
    for (uint32_t k = 0; k < effects.n; k++) sum += hash_effect(&effects.at[k]);
    vec_push(model->heap, &tests->sum, sum);
  }
  return tests->sum.at[label];
}

static int compare_tests(const void *a, const void *b) {
  const Test *x = a, *y = b;
  if (x->to != y->to) return x->to < y->to ? -1 : 1;
  if (x->object != y->object) return x->object < y->object ? -1 : 1;
  return (x->rest > y->rest) - (x->rest < y->rest);
}

/* The tests of the steps first .. behind - 1, which are those of one state. */
static void find_tests(Reduction *r, Tests *tests, uint32_t first, uint32_t behind) {
  vec_clear(&tests->tests);
  for (uint32_t s = first; s < behind; s++) {
    const Step *step = &r->steps.at[s];
    const EffectList effects = model_effects(r->out, step->label);
    for (uint32_t i = 0; i < effects.n; i++) {
      const Effect *effect = &effects.at[i];
      if (effect->pre != effect->post || r->out->objects.at[effect->object].is_token) continue;
      assert(r->out->objects.at[effect->object].reached[effect->pre]); /* else the count would say nothing */
      const uint64_t rest = sum_of(tests, r->out, step->label) - hash_effect(effect);
      vec_push(r->heap, &tests->tests, ((Test){rest, step->to, effect->object, s - first, i}));
    }
  }
  if (tests->tests.n > 1) qsort(tests->tests.at, tests->tests.n, sizeof *tests->tests.at, compare_tests);
}

/* Do the steps of both tests, which are of one object, have the same other effects? */
static bool has_same_rest(const Reduction *r, uint32_t first_step, const Test *x, const Test *y) {
  const EffectList a = model_effects(r->out, r->steps.at[first_step + x->step].label),
                   b = model_effects(r->out, r->steps.at[first_step + y->step].label);
  const size_t before = x->effect * sizeof *a.at, behind = (a.n - x->effect - 1) * sizeof *a.at;
  return a.n == b.n && x->effect == y->effect && !memcmp(a.at, b.at, before) &&
         !memcmp(a.at + x->effect + 1, b.at + x->effect + 1, behind);
}

/* Are the tests first[0 .. n), which sort alike, all alike but for the value, and as many as there are values? */
static bool is_covered(const Reduction *r, const Tests *tests, uint32_t first_step, const Test *first, uint32_t n) {
  if (n < tests->reached[first->object]) return false;
  for (uint32_t i = 1; i < n; i++)
    if (!has_same_rest(r, first_step, first, first + i)) return false; /* two hashes are alike by chance */
  return true;
}

/* Notes, for each of the steps first .. behind - 1, its first test that is covered. */
static void find_covered(Reduction *r, Tests *tests, uint32_t first_step, uint32_t n_steps) {
  vec_clear(&tests->first);
  for (uint32_t i = 0; i < n_steps; i++) vec_push(r->heap, &tests->first, NOT_COVERED);
  for (uint32_t i = 0, behind; i < tests->tests.n; i = behind) {
    const Test *first = &tests->tests.at[i];
    for (behind = i + 1; behind < tests->tests.n && !compare_tests(first, &tests->tests.at[behind]);) behind++;
    if (!is_covered(r, tests, first_step, first, behind - i)) continue;
    for (const Test *test = first; test < tests->tests.at + behind; test++)
      if (tests->first.at[test->step] > test->effect) tests->first.at[test->step] = test->effect;
  }
}

/* Drops from each step one test that, together with others like it, covers all values. False if there was none. */
static bool drop_covered_tests(Reduction *r, Tests *tests) {
  bool dropped = false;
  for (uint32_t first = 0, behind; first < r->steps.n; first = behind) {
    for (behind = first + 1; behind < r->steps.n && r->steps.at[behind].from == r->steps.at[first].from;) behind++;
    find_tests(r, tests, first, behind);
    if (!tests->tests.n) continue;
    find_covered(r, tests, first, behind - first);
    for (uint32_t i = 0; i < behind - first; i++) {
      Step *step = &r->steps.at[first + i];
      if (tests->first.at[i] == NOT_COVERED) continue;
      step->label = label_without(r->out, step->label, tests->first.at[i]);
      dropped = true;
    }
  }
  return dropped;
}

static void drop_tests(Reduction *r) {
  const uint32_t n = r->out->objects.n;
  uint32_t *reached = heap_alloc(r->heap, ((size_t)n + 1) * sizeof *reached);
  for (uint32_t o = 0; o < n; o++) reached[o] = count_reached(&r->out->objects.at[o]);
  Tests tests = {.reached = reached};
  do {
    sort_steps(&r->steps);
    heap_poll(r->heap);
  } while (drop_covered_tests(r, &tests));
  vec_fini(r->heap, &tests.tests);
  vec_fini(r->heap, &tests.first);
  vec_fini(r->heap, &tests.sum);
  heap_release(r->heap, reached);
}

static void index_steps(Reduction *r) {
  const uint32_t n = r->in->state_thread.n;
  r->step_start = heap_zeroed(r->heap, ((size_t)n + 1) * sizeof *r->step_start);
  for (uint32_t i = 0; i < r->steps.n; i++) r->step_start[r->steps.at[i].from + 1]++;
  for (uint32_t s = 0; s < n; s++) r->step_start[s + 1] += r->step_start[s];
  assert(r->step_start[n] == r->steps.n);
}

static void copy_steps(Reduction *r) {
  const Model *in = r->in;
  uint32_t *label = heap_alloc(r->heap, ((size_t)in->labels.strings.n + 1) * sizeof *label);
  for (uint32_t i = 0; i < in->labels.strings.n; i++)
    label[i] = intern_add(&r->out->labels, in->labels.strings.at[i], in->labels.lengths.at[i], NULL);
  for (uint32_t i = 0; i < in->steps.n; i++) {
    Step step = in->steps.at[i];
    step.label = label[step.label];
    vec_push(r->heap, &r->steps, step);
  }
  heap_release(r->heap, label);
  r->silent = model_label(r->out, NULL, 0);
  drop_tests(r);
  index_steps(r);
}

static void copy_objects(const Model *in, Model *out) {
  for (uint32_t o = 0; o < in->objects.n; o++) {
    const ModelObject *from = &in->objects.at[o];
    model_add_object(out, from->name, from->is_token, from->n_values, from->initial);
    out->objects.at[o].is_red = from->is_red;
    memcpy(out->objects.at[o].reached, from->reached, from->n_values * sizeof *from->reached);
    memcpy(out->objects.at[o].value_name, from->value_name, from->n_values * sizeof *from->value_name);
  }
}

/* ---- silent steps ---- */

static bool is_silent(const Reduction *r, const Step *step) {
  return step->label == r->silent && step->to != STATE_NONE;
}

/* Tarjan's algorithm on the silent steps, without recursion. Components are numbered successors first. */
typedef struct {
  Reduction *r;
  uint32_t *index, *low; /* per state; index 0: not seen */
  U32Vec stack, path, next;
  uint32_t count;
} Tarjan;

static void tarjan_enter(Tarjan *t, uint32_t state) {
  assert(!t->index[state]);
  t->index[state] = t->low[state] = ++t->count;
  vec_push(t->r->heap, &t->stack, state);
  vec_push(t->r->heap, &t->path, state);
  vec_push(t->r->heap, &t->next, t->r->step_start[state]);
}

static void tarjan_leave(Tarjan *t, uint32_t state) {
  Reduction *r = t->r;
  assert(t->path.n > 0 && t->path.n == t->next.n && t->stack.n >= t->path.n);
  t->path.n--;
  t->next.n--;
  if (t->path.n && t->low[state] < t->low[vec_last(&t->path)]) t->low[vec_last(&t->path)] = t->low[state];
  if (t->low[state] != t->index[state]) return;
  uint32_t member;
  do {
    member = t->stack.at[--t->stack.n];
    r->component[member] = r->n_components;
    vec_push(r->heap, &r->members, member);
  } while (member != state);
  vec_push(r->heap, &r->component_thread, r->in->state_thread.at[state]);
  vec_push(r->heap, &r->member_start, r->members.n);
  r->n_components++;
}

static void tarjan_visit(Tarjan *t, uint32_t root) {
  Reduction *r = t->r;
  tarjan_enter(t, root);
  while (t->path.n) {
    const uint32_t state = vec_last(&t->path);
    if (vec_last(&t->next) == r->step_start[state + 1]) {
      tarjan_leave(t, state);
      continue;
    }
    const Step *step = &r->steps.at[vec_last(&t->next)++];
    if (!is_silent(r, step)) continue;
    if (!t->index[step->to]) tarjan_enter(t, step->to);
    else if (r->component[step->to] == STATE_NONE && t->index[step->to] < t->low[state])
      t->low[state] = t->index[step->to];
  }
}

static void find_components(Reduction *r) {
  const uint32_t n = r->in->state_thread.n;
  Tarjan t = {.r = r};
  t.index = heap_zeroed(r->heap, ((size_t)n + 1) * sizeof *t.index);
  t.low = heap_zeroed(r->heap, ((size_t)n + 1) * sizeof *t.low);
  r->component = heap_alloc(r->heap, ((size_t)n + 1) * sizeof *r->component);
  for (uint32_t s = 0; s < n; s++) r->component[s] = STATE_NONE;
  vec_push(r->heap, &r->member_start, 0);
  for (uint32_t s = 0; s < n; s++)
    if (!t.index[s]) tarjan_visit(&t, s);
  assert(r->members.n == n && r->member_start.n == r->n_components + 1);
  heap_release(r->heap, t.index);
  heap_release(r->heap, t.low);
  vec_fini(r->heap, &t.stack);
  vec_fini(r->heap, &t.path);
  vec_fini(r->heap, &t.next);
}

static int compare_outs(const void *a, const void *b) {
  const Out *x = a, *y = b;
  if (x->label != y->label) return x->label < y->label ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

/* Sorts the outs from `from` on, and drops doubles. */
static void sort_outs(OutVec *outs, uint32_t from) {
  assert(from <= outs->n);
  if (outs->n - from < 2) return;
  qsort(outs->at + from, outs->n - from, sizeof *outs->at, compare_outs);
  uint32_t n = from + 1;
  for (uint32_t i = from + 1; i < outs->n; i++)
    if (compare_outs(&outs->at[i], &outs->at[n - 1]) != 0) outs->at[n++] = outs->at[i];
  outs->n = n;
}

static uint32_t resolve(const Reduction *r, uint32_t component) {
  if (component == STATE_NONE) return STATE_NONE;
  assert(r->alias.at[r->alias.at[component]] == r->alias.at[component]); /* nothing is left to follow */
  return r->alias.at[component];
}

/* The labelled steps of component c's own states; and in `silent` the other components that it steps to silently. `to`
 * of the labelled ones is still a state. */
static void gather_component(Reduction *r, uint32_t c, OutVec *silent) {
  vec_clear(silent);
  for (uint32_t m = r->member_start.at[c]; m < r->member_start.at[c + 1]; m++) {
    const uint32_t state = r->members.at[m];
    for (uint32_t i = r->step_start[state]; i < r->step_start[state + 1]; i++) {
      const Step *step = &r->steps.at[i];
      if (!is_silent(r, step)) vec_push(r->heap, &r->outs, ((Out){step->label, step->to}));
      else if (r->component[step->to] != c) {
        assert(r->component[step->to] < c); /* successors come first */
        vec_push(r->heap, silent, ((Out){0, r->alias.at[r->component[step->to]]}));
      }
    }
  }
  sort_outs(silent, 0);
}

/* Can the thread get from one state to the other by a few silent steps? "No" may be wrong. */
static bool reaches_silently(const Reduction *r, uint32_t from, uint32_t to) {
  uint32_t seen[FEW_STEPS] = {from}, n = 1;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = r->step_start[seen[i]]; k < r->step_start[seen[i] + 1]; k++) {
      const Step *step = &r->steps.at[k];
      if (!is_silent(r, step)) continue;
      if (step->to == to) return true;
      if (n < FEW_STEPS) seen[n++] = step->to;
    }
  return false;
}

/* Of two outs with the same label, the one to a state that the target of the other reaches silently is of no use.
 * Without this, a thread with n silent steps that could each be something else instead would get n^2 outs. */
static void drop_later_outs(Reduction *r, uint32_t from) {
  uint32_t kept = from;
  for (uint32_t i = from, end; i < r->outs.n; i = end) {
    for (end = i + 1; end < r->outs.n && r->outs.at[end].label == r->outs.at[i].label; end++) continue;
    for (uint32_t k = i; k < end; k++) {
      bool useless = false;
      for (uint32_t m = i; m < end && end - i <= FEW_STEPS && !useless; m++)
        useless = m != k && r->outs.at[m].to != STATE_NONE && r->outs.at[k].to != STATE_NONE &&
                  r->component[r->outs.at[m].to] != r->component[r->outs.at[k].to] &&
                  reaches_silently(r, r->outs.at[m].to, r->outs.at[k].to);
      if (!useless) r->outs.at[kept++] = r->outs.at[k];
    }
  }
  r->outs.n = kept;
}

/* What component d does becomes what another one, which steps to it silently, does; unless it is much: then the silent
 * step stays. Without that, a thread with n silent steps in a row and one way out of each would get n^2 outs. */
static void take_over(Reduction *r, uint32_t d) {
  const uint32_t from = r->out_start[d], to = r->out_start[d + 1];
  assert(from <= to && to <= r->outs.n);
  if (to - from > MOST_CLOSED) {
    vec_push(r->heap, &r->outs, ((Out){r->silent, r->members.at[r->member_start.at[d]]}));
    return;
  }
  for (uint32_t k = from; k < to; k++) vec_push(r->heap, &r->outs, r->outs.at[k]);
}

/* Successors come first, so what a component reaches silently is already known. */
static void close_silent_steps(Reduction *r) {
  OutVec silent = {0};
  r->out_start = heap_zeroed(r->heap, ((size_t)r->n_components + 1) * sizeof *r->out_start);
  for (uint32_t c = 0; c < r->n_components; c++) {
    const uint32_t from = r->outs.n;
    r->out_start[c] = from;
    gather_component(r, c, &silent);
    const bool is_alias = r->outs.n == from && silent.n == 1;
    vec_push(r->heap, &r->alias, is_alias ? silent.at[0].to : c);
    for (uint32_t i = 0; !is_alias && i < silent.n; i++) take_over(r, silent.at[i].to);
    sort_outs(&r->outs, from);
    drop_later_outs(r, from);
    r->out_start[c + 1] = r->outs.n;
  }
  for (uint32_t i = 0; i < r->outs.n; i++) {
    const uint32_t to = r->outs.at[i].to;
    if (to != STATE_NONE) r->outs.at[i].to = resolve(r, r->component[to]);
  }
  for (uint32_t c = 0, kept = 0; c < r->n_components; c++) {
    /* targets have merged: sort again, in place */
    OutVec row = {r->outs.at + r->out_start[c], r->out_start[c + 1] - r->out_start[c], 0};
    sort_outs(&row, 0);
    if (row.n) memmove(r->outs.at + kept, row.at, row.n * sizeof *row.at);
    r->out_start[c] = kept;
    kept += row.n;
    if (c + 1 == r->n_components) r->outs.n = kept;
  }
  r->out_start[r->n_components] = r->outs.n;
  vec_fini(r->heap, &silent);
}

/* ---- a chosen thread that cannot meet red any more ---- */

static bool label_touches(const Model *model, uint32_t label, uint32_t object) {
  const EffectList effects = model_effects(model, label);
  for (uint32_t i = 0; i < effects.n; i++)
    if (effects.at[i].object == object) return true;
  return false;
}

static bool label_is_red(const Reduction *r, uint32_t label) {
  const EffectList effects = model_effects(r->out, label);
  for (uint32_t i = 0; i < effects.n; i++)
    if (r->out->objects.at[effects.at[i].object].is_red) return true;
  return false;
}

/* Forward from the steps that choose: the components of chosen threads. */
static void mark_chosen(const Reduction *r, bool *chosen) {
  U32Vec work = {0};
  for (uint32_t i = 0; i < r->outs.n; i++)
    if (r->outs.at[i].to != STATE_NONE && label_touches(r->out, r->outs.at[i].label, r->undecided))
      vec_push(r->heap, &work, r->outs.at[i].to);
  while (work.n) {
    const uint32_t c = work.at[--work.n];
    if (chosen[c]) continue;
    chosen[c] = true;
    for (uint32_t i = r->out_start[c]; i < r->out_start[c + 1]; i++)
      if (r->outs.at[i].to != STATE_NONE) vec_push(r->heap, &work, r->outs.at[i].to);
  }
  vec_fini(r->heap, &work);
}

/* Backward from red: the chosen components that can still meet it. Steps are visited backwards through a reversed
 * index. */
static void mark_hopeful(const Reduction *r, const bool *chosen, bool *hopeful) {
  uint32_t *start = heap_zeroed(r->heap, ((size_t)r->n_components + 2) * sizeof *start);
  uint32_t *source = heap_alloc(r->heap, ((size_t)r->outs.n + 1) * sizeof *source);
  U32Vec work = {0};
  for (uint32_t i = 0; i < r->outs.n; i++)
    if (r->outs.at[i].to != STATE_NONE) start[r->outs.at[i].to + 2]++;
  for (uint32_t c = 0; c < r->n_components; c++) start[c + 2] += start[c + 1];
  for (uint32_t c = 0; c < r->n_components; c++)
    for (uint32_t i = r->out_start[c]; i < r->out_start[c + 1]; i++) {
      if (r->outs.at[i].to != STATE_NONE) source[start[r->outs.at[i].to + 1]++] = c;
      if (chosen[c] && label_is_red(r, r->outs.at[i].label)) vec_push(r->heap, &work, c);
    }
  while (work.n) {
    const uint32_t c = work.at[--work.n];
    if (hopeful[c]) continue;
    hopeful[c] = true;
    for (uint32_t i = start[c]; i < start[c + 1]; i++)
      if (chosen[source[i]]) vec_push(r->heap, &work, source[i]);
  }
  heap_release(r->heap, start);
  heap_release(r->heap, source);
  vec_fini(r->heap, &work);
}

static void drop_hopeless(Reduction *r) {
  bool *chosen = heap_zeroed(r->heap, (size_t)r->n_components + 1);
  bool *hopeful = heap_zeroed(r->heap, (size_t)r->n_components + 1);
  mark_chosen(r, chosen);
  mark_hopeful(r, chosen, hopeful);
  uint32_t n = 0;
  for (uint32_t c = 0, from = 0; c < r->n_components; c++) {
    const uint32_t to = r->out_start[c + 1];
    assert(n <= from && from <= to && to <= r->outs.n);
    for (uint32_t i = from; i < to; i++) {
      const Out *out = &r->outs.at[i];
      if (out->to == STATE_NONE || !chosen[out->to] || hopeful[out->to]) r->outs.at[n++] = *out;
    }
    from = to;
    r->out_start[c + 1] = n;
  }
  r->outs.n = n;
  heap_release(r->heap, chosen);
  heap_release(r->heap, hopeful);
}

/* ---- classes ---- */

/* The signature of a component: its class so far, then (label, class) of each step, leaving out steps that change
 * nothing and stay in the class. */
static void signature(const Reduction *r, uint32_t c, U32Vec *words, OutVec *outs) {
  assert(r->alias.at[c] == c);
  vec_clear(words);
  vec_clear(outs);
  const uint32_t own = r->class_of[c];
  for (uint32_t i = r->out_start[c]; i < r->out_start[c + 1]; i++) {
    const Out *out = &r->outs.at[i];
    const uint32_t to = out->to == STATE_NONE ? STATE_NONE : r->class_of[out->to];
    if (to != own || !model_label_is_test(r->out, out->label)) vec_push(r->heap, outs, ((Out){out->label, to}));
  }
  sort_outs(outs, 0);
  vec_push(r->heap, words, own);
  for (uint32_t i = 0; i < outs->n; i++) {
    vec_push(r->heap, words, outs->at[i].label);
    vec_push(r->heap, words, outs->at[i].to);
  }
}

static bool refine(Reduction *r, uint32_t *next) {
  Intern signatures;
  intern_init(&signatures, r->heap);
  U32Vec words = {0};
  OutVec outs = {0};
  for (uint32_t c = 0; c < r->n_components; c++) {
    if (r->alias.at[c] != c) continue;
    signature(r, c, &words, &outs);
    next[c] = intern_add(&signatures, (const char *)words.at, words.n * sizeof *words.at, NULL);
  }
  const bool split = signatures.strings.n != r->n_classes;
  r->n_classes = signatures.strings.n;
  memcpy(r->class_of, next, r->n_components * sizeof *next);
  vec_fini(r->heap, &words);
  vec_fini(r->heap, &outs);
  intern_fini(&signatures);
  return split;
}

static void find_classes(Reduction *r) {
  r->class_of = heap_alloc(r->heap, ((size_t)r->n_components + 1) * sizeof *r->class_of);
  uint32_t *next = heap_alloc(r->heap, ((size_t)r->n_components + 1) * sizeof *next);
  for (uint32_t c = 0; c < r->n_components; c++) r->class_of[c] = next[c] = r->component_thread.at[c];
  uint32_t rounds = 0;
  while (refine(r, next))
    if (++rounds > MAX_ROUNDS) {
      for (uint32_t c = 0; c < r->n_components; c++) r->class_of[c] = c;
      r->n_classes = r->n_components;
      break;
    }
  heap_release(r->heap, next);
}

/* ---- the reduced model ---- */

typedef struct {
  Reduction *r;
  uint32_t *representative; /* per class: a component */
  uint32_t *state;          /* per class: its state in `out`, or STATE_NONE */
  U32Vec work;              /* classes whose steps are not written yet */
  OutVec outs;              /* of the class under way */
  U32Vec words;             /* scratch of covers */
  OutVec more, fewer;
} Writing;

/* Is each labelled step of class b one of class a too? Both lists are sorted. */
static bool covers(Writing *w, uint32_t a, uint32_t b) {
  OutVec *more = &w->more, *fewer = &w->fewer;
  signature(w->r, w->representative[a], &w->words, more);
  signature(w->r, w->representative[b], &w->words, fewer);
  uint32_t i = 0;
  for (uint32_t k = 0; k < fewer->n; k++) {
    while (i < more->n && compare_outs(&more->at[i], &fewer->at[k]) < 0) i++;
    if (i == more->n || compare_outs(&more->at[i], &fewer->at[k]) != 0) return false;
  }
  return true;
}

/* Is step number i of `class`, one of w->outs, of no use: a test after which no more can be done than before it, or a
 * step that another one with the same label, to a class that can do all the same, makes superfluous? Of two that could
 * stand for each other the first stays. */
static bool is_useless(Writing *w, uint32_t class, uint32_t i) {
  const Out out = w->outs.at[i];
  if (out.to == STATE_NONE) return false;
  if (model_label_is_test(w->r->out, out.label) && covers(w, class, out.to)) return true;
  uint32_t k = i;
  while (k > 0 && w->outs.at[k - 1].label == out.label) k--;
  for (; k < w->outs.n && w->outs.at[k].label == out.label; k++) {
    const uint32_t other = w->outs.at[k].to;
    if (k == i || other == STATE_NONE || !covers(w, other, out.to)) continue;
    if (k < i || !covers(w, out.to, other)) return true;
  }
  return false;
}

static uint32_t need_state(Writing *w, uint32_t class) {
  Reduction *r = w->r;
  if (class == STATE_NONE) return STATE_NONE;
  assert(class < r->n_classes);
  if (w->state[class] == STATE_NONE) {
    const uint32_t c = w->representative[class];
    const uint32_t member = r->members.at[r->member_start.at[c]];
    w->state[class] = model_add_state(r->out, r->component_thread.at[c], r->in->state_name.at[member]);
    vec_push(r->heap, &w->work, class);
  }
  return w->state[class];
}

/* A transition of the program for the step, for its name: the step is an instance of several. */
static TransId origin_of(const Reduction *r, uint32_t c, const Out *out) {
  for (uint32_t m = r->member_start.at[c]; m < r->member_start.at[c + 1]; m++) {
    const uint32_t state = r->members.at[m];
    for (uint32_t i = r->step_start[state]; i < r->step_start[state + 1]; i++)
      if (r->steps.at[i].label == out->label) return r->steps.at[i].origin;
  }
  return TRANS_NONE;
}

static void write_class(Writing *w, uint32_t class) {
  Reduction *r = w->r;
  const uint32_t c = w->representative[class], from = w->state[class];
  assert(from != STATE_NONE);
  signature(r, c, &w->words, &w->outs);
  for (uint32_t i = 0; i < w->outs.n; i++) {
    const Out out = w->outs.at[i];
    if (is_useless(w, class, i)) continue;
    vec_push(r->heap, &r->out->steps, ((Step){from, need_state(w, out.to), out.label, origin_of(r, c, &out)}));
  }
}

static void write_model(Reduction *r, uint32_t **class_of) {
  const Model *in = r->in;
  assert(in->initial.n == in->n_threads);
  Writing w = {.r = r};
  w.representative = heap_alloc(r->heap, ((size_t)r->n_classes + 1) * sizeof *w.representative);
  w.state = heap_alloc(r->heap, ((size_t)r->n_classes + 1) * sizeof *w.state);
  for (uint32_t k = 0; k < r->n_classes; k++) w.state[k] = STATE_NONE;
  for (uint32_t c = r->n_components; c-- > 0;)
    if (r->alias.at[c] == c) w.representative[r->class_of[c]] = c;
  for (uint32_t i = 0; i < in->initial.n; i++) {
    const uint32_t state = need_state(&w, r->class_of[resolve(r, r->component[in->initial.at[i]])]);
    vec_push(r->heap, &r->out->initial, state);
  }
  for (uint32_t i = 0; i < w.work.n; i++) write_class(&w, w.work.at[i]);
  *class_of = heap_alloc(r->heap, ((size_t)in->state_thread.n + 1) * sizeof **class_of);
  for (uint32_t s = 0; s < in->state_thread.n; s++) (*class_of)[s] = w.state[r->class_of[resolve(r, r->component[s])]];
  heap_release(r->heap, w.representative);
  heap_release(r->heap, w.state);
  vec_fini(r->heap, &w.work);
  vec_fini(r->heap, &w.outs);
  vec_fini(r->heap, &w.words);
  vec_fini(r->heap, &w.more);
  vec_fini(r->heap, &w.fewer);
}

static void reduction_fini(Reduction *r) {
  vec_fini(r->heap, &r->steps);
  heap_release(r->heap, r->step_start);
  heap_release(r->heap, r->component);
  vec_fini(r->heap, &r->member_start);
  vec_fini(r->heap, &r->members);
  vec_fini(r->heap, &r->alias);
  vec_fini(r->heap, &r->component_thread);
  heap_release(r->heap, r->out_start);
  vec_fini(r->heap, &r->outs);
  heap_release(r->heap, r->class_of);
}

void model_reduce(const Model *in, uint32_t undecided, Model *out, uint32_t **class_of) {
  model_init(out, in->heap);
  out->n_threads = in->n_threads;
  Reduction r = {.in = in, .heap = in->heap, .out = out, .undecided = undecided};
  copy_objects(in, out);
  copy_steps(&r);
  find_components(&r);
  close_silent_steps(&r);
  drop_hopeless(&r);
  find_classes(&r);
  write_model(&r, class_of);
  reduction_fini(&r);
}
