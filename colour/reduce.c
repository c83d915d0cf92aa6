#include "colour/reduce.h"

#include "colour/covered.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_ROUNDS = 50, /* of partition refinement; where these do not suffice the states are left as they are */
  FEW_STEPS = 16,  /* silent steps looked ahead for outs of no use, and outs with one label compared for that */
  MOST_CLOSED = 64 /* outs that a state takes over from one that it steps to silently */
};

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

/* ---- steps ---- */

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
  covered_drop(r->out, &r->steps);
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

/* The labelled steps of a component, sorted, without those that change nothing and stay in its class; `to` becomes a
 * class. They are put after the outs. */
static void add_class_outs(const Reduction *r, uint32_t c, OutVec *outs) {
  assert(r->alias.at[c] == c);
  const uint32_t own = r->class_of[c], from = outs->n;
  for (uint32_t i = r->out_start[c]; i < r->out_start[c + 1]; i++) {
    const Out *out = &r->outs.at[i];
    const uint32_t to = out->to == STATE_NONE ? STATE_NONE : r->class_of[out->to];
    if (to != own || !model_label_is_test(r->out, out->label)) vec_push(r->heap, outs, ((Out){out->label, to}));
  }
  sort_outs(outs, from);
}

/* The signature of a component: its class so far, then (label, class) of each step. */
static void signature(const Reduction *r, uint32_t c, U32Vec *words, OutVec *outs) {
  vec_clear(words);
  vec_clear(outs);
  add_class_outs(r, c, outs);
  vec_push(r->heap, words, r->class_of[c]);
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

/* Each component that stands for itself is a class. */
static void leave_apart(Reduction *r) {
  r->n_classes = 0;
  for (uint32_t c = 0; c < r->n_components; c++)
    if (r->alias.at[c] == c) r->class_of[c] = r->n_classes++;
}

static void find_classes(Reduction *r) {
  r->class_of = heap_alloc(r->heap, ((size_t)r->n_components + 1) * sizeof *r->class_of);
  uint32_t *next = heap_alloc(r->heap, ((size_t)r->n_components + 1) * sizeof *next);
  for (uint32_t c = 0; c < r->n_components; c++) r->class_of[c] = next[c] = r->component_thread.at[c];
  uint32_t rounds = 0;
  while (refine(r, next))
    if (++rounds > MAX_ROUNDS) {
      leave_apart(r);
      break;
    }
  heap_release(r->heap, next);
}

/* ---- the reduced model ---- */

typedef struct {
  Reduction *r;
  uint32_t *representative; /* per class: a component */
  uint32_t *state;          /* per class: its state in `out`, or STATE_NONE */
  uint32_t *row_start;      /* per class, + 1 */
  OutVec rows;              /* what each class can do, sorted */
  U32Vec work;              /* classes whose steps are not written yet */
} Writing;

/* Is each labelled step of class b one of class a too? */
static bool covers(const Writing *w, uint32_t a, uint32_t b) {
  const uint32_t n_more = w->row_start[a + 1] - w->row_start[a], n_fewer = w->row_start[b + 1] - w->row_start[b];
  const Out *more = w->rows.at + w->row_start[a], *fewer = w->rows.at + w->row_start[b];
  uint32_t i = 0;
  if (n_fewer > n_more) return false;
  for (uint32_t k = 0; k < n_fewer; k++) {
    while (i < n_more && compare_outs(&more[i], &fewer[k]) < 0) i++;
    if (i == n_more || compare_outs(&more[i], &fewer[k]) != 0) return false;
  }
  return true;
}

/* Is step number i of those of `class` of no use: a test after which no more can be done than before it, or a step
 * that another one with the same label, to a class that can do all the same, makes superfluous? Of two that could
 * stand for each other the first stays. */
static bool is_useless(const Writing *w, uint32_t class, uint32_t i) {
  const uint32_t behind = w->row_start[class + 1];
  const Out out = w->rows.at[i];
  if (out.to == STATE_NONE) return false;
  if (model_label_is_test(w->r->out, out.label) && covers(w, class, out.to)) return true;
  uint32_t k = i;
  while (k > w->row_start[class] && w->rows.at[k - 1].label == out.label) k--;
  for (; k < behind && w->rows.at[k].label == out.label; k++) {
    const uint32_t other = w->rows.at[k].to;
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

/* The first of the state's steps whose label is not less. */
static uint32_t first_step(const Reduction *r, uint32_t state, uint32_t label) {
  uint32_t low = r->step_start[state], high = r->step_start[state + 1];
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (r->steps.at[middle].label < label) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* A transition of the program for the step, for its name: the step is an instance of several. */
static TransId origin_of(const Reduction *r, uint32_t c, const Out *out) {
  for (uint32_t m = r->member_start.at[c]; m < r->member_start.at[c + 1]; m++) {
    const uint32_t state = r->members.at[m];
    const uint32_t i = first_step(r, state, out->label);
    if (i < r->step_start[state + 1] && r->steps.at[i].label == out->label) return r->steps.at[i].origin;
  }
  return TRANS_NONE;
}

static void write_class(Writing *w, uint32_t class) {
  Reduction *r = w->r;
  const uint32_t c = w->representative[class], from = w->state[class];
  assert(from != STATE_NONE);
  for (uint32_t i = w->row_start[class]; i < w->row_start[class + 1]; i++) {
    const Out out = w->rows.at[i];
    if (is_useless(w, class, i)) continue;
    vec_push(r->heap, &r->out->steps, ((Step){from, need_state(w, out.to), out.label, origin_of(r, c, &out)}));
  }
}

static void find_rows(Writing *w) {
  const Reduction *r = w->r;
  w->row_start = heap_alloc(r->heap, ((size_t)r->n_classes + 1) * sizeof *w->row_start);
  for (uint32_t k = 0; k < r->n_classes; k++) {
    w->row_start[k] = w->rows.n;
    add_class_outs(r, w->representative[k], &w->rows);
  }
  w->row_start[r->n_classes] = w->rows.n;
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
  find_rows(&w);
  for (uint32_t i = 0; i < in->initial.n; i++) {
    const uint32_t state = need_state(&w, r->class_of[resolve(r, r->component[in->initial.at[i]])]);
    vec_push(r->heap, &r->out->initial, state);
  }
  for (uint32_t i = 0; i < w.work.n; i++) write_class(&w, w.work.at[i]);
  *class_of = heap_alloc(r->heap, ((size_t)in->state_thread.n + 1) * sizeof **class_of);
  for (uint32_t s = 0; s < in->state_thread.n; s++) (*class_of)[s] = w.state[r->class_of[resolve(r, r->component[s])]];
  heap_release(r->heap, w.representative);
  heap_release(r->heap, w.state);
  heap_release(r->heap, w.row_start);
  vec_fini(r->heap, &w.work);
  vec_fini(r->heap, &w.rows);
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
