/* Are the facts claimed true? By one induction over a run of the net: at first all is as claimed; and where it is so
 * before a transition fires, that transition is none that the facts rule out, its thread comes to a control that is
 * there, and all that is claimed of the threads that stay where they are is still so. */
#include "check/pair_judge.h"

#include <assert.h>
#include <string.h>

typedef struct {
  ThreadFacts *facts;
  const Net *net;
  Err *err;
  uint32_t *taken, *put, *returned; /* per value: places; all zero between transitions */
  U32Vec met;                       /* the values counted */
  U32Vec *own;                      /* per thread: its transitions without a private input */
  U32Vec next;                      /* the key of a control */
  uint64_t *row;                    /* room for one */
  Intern step_kinds;
  U32Vec words;
} Judge;

static uint64_t *held_row(const ThreadFacts *f, uint32_t kind) { return f->held.at + kind * f->bit_words; }
static uint64_t *value_row(const ThreadFacts *f, uint32_t kind) { return f->values.at + kind * f->value_words; }

/* The value without places, or FACT_NONE: the last one of its object. */
static uint32_t empty_value(const ThreadFacts *f, uint32_t object) {
  const uint32_t from = f->object_start.at[object], to = f->object_start.at[object + 1];
  return to > from && !f->value_size.at[to - 1] ? to - 1 : FACT_NONE;
}

/* ---- each object has one value: all places of it are marked, and none of another one ---- */

static bool no_value(const Judge *j, uint32_t object) {
  return err_set(j->err, ERR_CHECK, "object %u has no initial value, or several", object + 1);
}

static bool find_initial(Judge *j) {
  ThreadFacts *f = j->facts;
  for (uint32_t p = 0; p < j->net->n_places; p++)
    if (f->value_of[p] != FACT_NONE && j->net->marked[p]) j->taken[f->value_of[p]]++;
  bool good = true;
  for (uint32_t o = 0; good && o < thread_facts_objects(f); o++) {
    uint32_t initial = FACT_NONE;
    for (uint32_t v = f->object_start.at[o]; good && v < f->object_start.at[o + 1]; v++) {
      if (!j->taken[v]) continue;
      good = initial == FACT_NONE && j->taken[v] == f->value_size.at[v];
      initial = v;
    }
    if (initial == FACT_NONE) initial = empty_value(f, o);
    if (!good || initial == FACT_NONE) good = no_value(j, o);
    vec_push(f->heap, &f->initial, initial);
  }
  for (uint32_t v = 0; v < f->value_size.n; v++) j->taken[v] = 0;
  return good;
}

static void count_values(Judge *j, PlaceList places, uint32_t *n, PlaceList other) {
  const ThreadFacts *f = j->facts;
  for (uint32_t i = 0; i < places.n; i++) {
    const uint32_t value = f->value_of[places.at[i].v];
    if (value == FACT_NONE) continue;
    if (!j->taken[value] && !j->put[value]) vec_push(f->heap, &j->met, value);
    n[value]++;
    if (n == j->taken && net_place_list_has(other, places.at[i])) j->returned[value]++;
  }
}

static bool odd_effect(const Judge *j, TransId t) {
  return err_set(j->err, ERR_CHECK, "transition '%.200s' does not take an object from one value to one",
                 j->net->trans_name[t.v]);
}

/* What t does to the object, of whose values some were met. */
static bool find_effect(Judge *j, TransId t, uint32_t object, FactEffect *effect) {
  const ThreadFacts *f = j->facts;
  uint32_t pre = FACT_NONE, post = FACT_NONE;
  for (uint32_t i = 0; i < j->met.n; i++) {
    const uint32_t v = j->met.at[i];
    if (thread_facts_object_of(f, v) != object) continue;
    if (j->taken[v] && pre != FACT_NONE) return odd_effect(j, t);
    if (j->put[v] && post != FACT_NONE) return odd_effect(j, t);
    if (j->taken[v]) pre = v;
    if (j->put[v]) post = v;
  }
  *effect = (FactEffect){object, pre, post};
  if (pre != FACT_NONE && pre == post)
    return (j->returned[pre] == j->taken[pre] && j->taken[pre] == j->put[pre]) || odd_effect(j, t);
  if ((pre != FACT_NONE && j->taken[pre] != f->value_size.at[pre]) ||
      (post != FACT_NONE && j->put[post] != f->value_size.at[post]))
    return odd_effect(j, t);
  if (pre == FACT_NONE) effect->pre = empty_value(f, object);
  if (post == FACT_NONE) effect->post = empty_value(f, object);
  return (effect->pre != FACT_NONE && effect->post != FACT_NONE) || odd_effect(j, t);
}

static bool has_effect(const ThreadFacts *f, uint32_t from, uint32_t object) {
  for (uint32_t i = from; i < f->effects.n; i++)
    if (f->effects.at[i].object == object) return true;
  return false;
}

static bool find_effects_of(Judge *j, TransId t) {
  ThreadFacts *f = j->facts;
  const PlaceList pre = net_pre(j->net, t), post = net_post(j->net, t);
  const uint32_t from = f->effects.n;
  count_values(j, pre, j->taken, post);
  count_values(j, post, j->put, pre);
  bool good = true;
  for (uint32_t i = 0; good && i < j->met.n; i++) {
    const uint32_t object = thread_facts_object_of(f, j->met.at[i]);
    FactEffect effect;
    if (has_effect(f, from, object)) continue;
    good = find_effect(j, t, object, &effect);
    if (good) vec_push(f->heap, &f->effects, effect);
  }
  for (uint32_t i = 0; i < j->met.n; i++) j->taken[j->met.at[i]] = j->put[j->met.at[i]] = j->returned[j->met.at[i]] = 0;
  vec_clear(&j->met);
  vec_push(f->heap, &f->effect_start, f->effects.n);
  return good;
}

static bool find_effects(Judge *j) {
  vec_push(j->facts->heap, &j->facts->effect_start, 0);
  for (uint32_t t = 0; t < j->net->n_trans; t++)
    if (!find_effects_of(j, (TransId){t})) return false;
  return true;
}

/* ---- what the facts allow ---- */

/* May the effects be while a thread is at a control of the kind? */
static bool may_be(const ThreadFacts *f, FactEffects effects, uint32_t kind) {
  for (uint32_t i = 0; i < effects.n; i++) {
    const FactEffect *e = &effects.at[i];
    if (!bitset_has(value_row(f, kind), e->pre)) return false;
    if (e->pre == f->initial.at[e->object] && thread_facts_holds(f, kind, e->object)) return false;
  }
  return true;
}

bool thread_facts_counts(const ThreadFacts *facts, uint32_t object, uint32_t value, const uint32_t *kinds, uint32_t n) {
  const uint32_t counter = facts->counter_of.at[object];
  if (counter == FACT_NONE) return true;
  const uint32_t from = facts->object_start.at[object], n_values = facts->object_start.at[object + 1] - from;
  uint64_t others = (uint64_t)(value - from) + n_values - facts->missing.at[counter], most = facts->most.at[counter];
  for (uint32_t i = 0; i < n; i++) {
    const size_t at = (size_t)kinds[i] * facts->counters.n + counter;
    if (facts->kind_most.at[at] > most) return false; /* there are not so many threads */
    most -= facts->kind_most.at[at];
    others += n_values - facts->weights.at[at];
  }
  return others % n_values <= most;
}

/* May be, of another thread than the one that is there. */
static bool may_be_beside(const ThreadFacts *f, FactEffects effects, uint32_t from, uint32_t kind) {
  const uint32_t kinds[] = {from, kind};
  if (!may_be(f, effects, kind)) return false;
  for (uint32_t i = 0; f->counters.n && i < effects.n; i++)
    if (!thread_facts_counts(f, effects.at[i].object, effects.at[i].pre, kinds, 2)) return false;
  return true;
}

static bool value_meets(const ThreadFacts *f, uint32_t value, uint32_t object, const uint32_t *kinds) {
  return bitset_has(value_row(f, kinds[0]), value) && bitset_has(value_row(f, kinds[1]), value) &&
         thread_facts_counts(f, object, value, kinds, 2);
}

bool thread_facts_meet_alone(const ThreadFacts *facts, uint32_t kind, uint32_t other) {
  const uint32_t kinds[] = {kind, other};
  for (size_t i = 0; i < facts->bit_words; i++)
    if (held_row(facts, kind)[i] & held_row(facts, other)[i]) return false;
  for (uint32_t o = 0; o < thread_facts_objects(facts); o++) {
    uint32_t v = facts->object_start.at[o];
    while (v < facts->object_start.at[o + 1] && !value_meets(facts, v, o, kinds)) v++;
    if (v == facts->object_start.at[o + 1]) return false;
  }
  return true;
}

bool thread_facts_pass_alone(const ThreadFacts *facts, uint32_t step_kind, uint32_t kind) {
  const FactStep *step = &facts->steps.at[facts->step_kind.at[step_kind]];
  const uint32_t from = facts->control_kind.at[step->from], to = facts->control_kind.at[step->to];
  return thread_facts_meet_alone(facts, from, kind) && thread_facts_meet_alone(facts, to, kind) &&
         may_be_beside(facts, thread_facts_effects(facts, step->transition), from, kind);
}

bool thread_facts_meet(const ThreadFacts *facts, uint32_t kind, uint32_t other) {
  return thread_facts_meet_alone(facts, kind, other) && pair_judge_meet(facts, kind, other);
}

bool thread_facts_pass(const ThreadFacts *facts, uint32_t step_kind, uint32_t kind) {
  return thread_facts_pass_alone(facts, step_kind, kind) && pair_judge_pass(facts, step_kind, kind);
}

/* ---- a thread's own steps ---- */

static bool is_on(PlaceList places, PlaceId p) { return net_place_list_has(places, p); }

/* Is a control token of that thread among the places? */
static bool has_control(const Net *net, PlaceList places, uint32_t thread) {
  for (uint32_t i = 0; i < places.n; i++) {
    const PlaceNote *note = &net->notes->places[places.at[i].v];
    if (note->role == ROLE_CONTROL && note->thread == thread) return true;
  }
  return false;
}

/* Its private inputs are marked, and it takes no control token of a thread that has its only one here. */
static bool is_possible(const ThreadFacts *f, TransId t, uint32_t thread, PlaceList places) {
  const PlaceList pre = net_pre(f->net, t);
  for (uint32_t i = 0; i < pre.n; i++) {
    const PlaceNote *note = &f->net->notes->places[pre.at[i].v];
    if (f->owner[pre.at[i].v] == thread) {
      if (!is_on(places, pre.at[i])) return false;
    } else if (note->role == ROLE_CONTROL && has_control(f->net, places, note->thread)) {
      return false;
    }
  }
  return true;
}

/* Where t leads to, as a key in j->next. */
static bool find_next(Judge *j, TransId t, uint32_t thread, PlaceList places) {
  const ThreadFacts *f = j->facts;
  const PlaceList pre = net_pre(f->net, t), post = net_post(f->net, t);
  vec_clear(&j->next);
  vec_push(f->heap, &j->next, thread);
  uint32_t i = 0, k = 0;
  while (i < places.n || k < post.n) { /* both ascend */
    if (k < post.n && f->owner[post.at[k].v] != thread) {
      k++;
    } else if (i < places.n && is_on(pre, places.at[i])) {
      i++;
    } else if (i < places.n && k < post.n && places.at[i].v == post.at[k].v) {
      return err_set(j->err, ERR_CHECK, "place '%.200s' could get a second token", f->net->place_name[post.at[k].v]);
    } else {
      const bool old = i < places.n && (k == post.n || places.at[i].v < post.at[k].v);
      vec_push(f->heap, &j->next, old ? places.at[i++].v : post.at[k++].v);
    }
  }
  return true;
}

static bool breaks(const Judge *j, TransId t, const char *what) {
  return err_set(j->err, ERR_CHECK, "transition '%.200s' does not keep %s", j->net->trans_name[t.v], what);
}

/* The bits and values after t, from one kind to another one. */
static bool keeps_law(Judge *j, TransId t, uint32_t from, uint32_t to) {
  const ThreadFacts *f = j->facts;
  const FactEffects effects = thread_facts_effects(f, t);
  if (f->bit_words) memcpy(j->row, held_row(f, from), f->bit_words * sizeof *j->row);
  for (uint32_t i = 0; i < effects.n; i++) {
    const FactEffect *e = &effects.at[i];
    const uint32_t bit = f->bit_of.at[e->object], initial = f->initial.at[e->object];
    if (bit == FACT_NONE || e->pre == e->post) continue;
    if (e->pre == initial) bitset_add(j->row, bit);
    else if (e->post == initial && !bitset_has(j->row, bit))
      return breaks(j, t, "a bit: a thread that does not hold it gives it back");
    else if (e->post == initial) bitset_remove(j->row, bit);
  }
  if (f->bit_words && memcmp(j->row, held_row(f, to), f->bit_words * sizeof *j->row) != 0)
    return breaks(j, t, "the bits");
  if (f->value_words) memcpy(j->row, value_row(f, from), f->value_words * sizeof *j->row);
  for (uint32_t i = 0; i < effects.n; i++) {
    const uint32_t o = effects.at[i].object;
    for (uint32_t v = f->object_start.at[o]; v < f->object_start.at[o + 1]; v++) bitset_remove(j->row, v);
    bitset_add(j->row, effects.at[i].post);
  }
  for (size_t i = 0; i < f->value_words; i++)
    if (j->row[i] & ~value_row(f, to)[i]) return breaks(j, t, "the values of its own thread");
  return true;
}

/* Each weight changes as the value does. */
static bool keeps_weights(Judge *j, TransId t, uint32_t from, uint32_t to) {
  const ThreadFacts *f = j->facts;
  const FactEffects effects = thread_facts_effects(f, t);
  for (uint32_t i = 0; i < f->counters.n; i++) {
    const uint32_t object = f->counters.at[i];
    const uint64_t n_values = f->object_start.at[object + 1] - f->object_start.at[object];
    uint64_t before = f->weights.at[(size_t)from * f->counters.n + i];
    for (uint32_t k = 0; k < effects.n; k++)
      if (effects.at[k].object == object) before += n_values + effects.at[k].post - effects.at[k].pre;
    if (before % n_values != f->weights.at[(size_t)to * f->counters.n + i]) return breaks(j, t, "a counter");
  }
  return true;
}

static uint32_t kind_of_step(Judge *j, uint32_t from, uint32_t to, TransId t) {
  ThreadFacts *f = j->facts;
  const FactEffects effects = thread_facts_effects(f, t);
  vec_clear(&j->words);
  vec_push(f->heap, &j->words, f->control_kind.at[from]);
  vec_push(f->heap, &j->words, f->control_kind.at[to]);
  for (uint32_t i = 0; i < effects.n; i++) {
    vec_push(f->heap, &j->words, effects.at[i].pre);
    vec_push(f->heap, &j->words, effects.at[i].post);
  }
  bool is_new;
  const uint32_t kind =
      intern_add(&j->step_kinds, (const char *)j->words.at, j->words.n * sizeof *j->words.at, &is_new);
  if (is_new) vec_push(f->heap, &f->step_kind, f->steps.n);
  return kind;
}

/* Is it ruled out, or as it should be? */
static bool judge_step(Judge *j, uint32_t control, TransId t) {
  ThreadFacts *f = j->facts;
  const uint32_t thread = thread_facts_thread(f, control);
  const PlaceList places = thread_facts_places(f, control);
  if (!is_possible(f, t, thread, places)) return true;
  if (!may_be(f, thread_facts_effects(f, t), f->control_kind.at[control])) return true;
  if (!find_next(j, t, thread, places)) return false;
  const uint32_t to = intern_find(&f->controls, (const char *)j->next.at, j->next.n * sizeof *j->next.at);
  if (to == INTERN_NONE) return breaks(j, t, "its thread at the listed controls");
  const uint32_t from_kind = f->control_kind.at[control], to_kind = f->control_kind.at[to];
  if (!keeps_law(j, t, from_kind, to_kind) || !keeps_weights(j, t, from_kind, to_kind)) return false;
  const uint32_t kind = kind_of_step(j, control, to, t);
  vec_push(f->heap, &f->steps, ((FactStep){control, to, t, kind}));
  return true;
}

static PlaceId first_private(const ThreadFacts *f, TransId t) {
  const PlaceList pre = net_pre(f->net, t);
  for (uint32_t i = 0; i < pre.n; i++)
    if (f->owner[pre.at[i].v] == f->thread_of[t.v]) return pre.at[i];
  return PLACE_NONE;
}

static bool judge_control(Judge *j, uint32_t control) {
  ThreadFacts *f = j->facts;
  const PlaceList places = thread_facts_places(f, control);
  for (uint32_t i = 0; i < places.n; i++) {
    const TransList out = net_consumers(f->net, places.at[i]);
    for (uint32_t k = 0; k < out.n; k++)
      if (first_private(f, out.at[k]).v == places.at[i].v && !judge_step(j, control, out.at[k])) return false;
  }
  const U32Vec *own = &j->own[thread_facts_thread(f, control)];
  for (uint32_t i = 0; i < own->n; i++)
    if (!judge_step(j, control, (TransId){own->at[i]})) return false;
  vec_push(f->heap, &f->step_start, f->steps.n);
  return true;
}

/* Its initial control is there, holds nothing, and has the initial values. */
static bool judge_start(Judge *j, uint32_t thread, const U32Vec *marked) {
  ThreadFacts *f = j->facts;
  vec_clear(&j->next);
  vec_push(f->heap, &j->next, thread);
  for (uint32_t i = 0; i < marked->n; i++) vec_push(f->heap, &j->next, marked->at[i]);
  const uint32_t control = intern_find(&f->controls, (const char *)j->next.at, j->next.n * sizeof *j->next.at);
  if (control == INTERN_NONE)
    return err_set(j->err, ERR_CHECK, "the initial control of thread %u is not listed", thread + 1);
  const uint32_t kind = f->control_kind.at[control];
  vec_push(f->heap, &f->start, control);
  for (size_t i = 0; i < f->bit_words; i++)
    if (held_row(f, kind)[i]) return err_set(j->err, ERR_CHECK, "thread %u holds something initially", thread + 1);
  for (uint32_t o = 0; o < thread_facts_objects(f); o++)
    if (!bitset_has(value_row(f, kind), f->initial.at[o]))
      return err_set(j->err, ERR_CHECK, "thread %u does not know the initial value of object %u", thread + 1, o + 1);
  return true;
}

static bool judge_starts(Judge *j) {
  const ThreadFacts *f = j->facts;
  U32Vec *marked = heap_zeroed(f->heap, heap_product(f->heap, (uint64_t)f->n_threads + 1, sizeof *marked));
  for (uint32_t p = 0; p < j->net->n_places; p++)
    if (j->net->marked[p] && f->owner[p] != FACT_NONE) vec_push(f->heap, &marked[f->owner[p]], p);
  bool good = true;
  for (uint32_t i = 0; i < f->n_threads; i++) {
    good = good && judge_start(j, i, &marked[i]);
    vec_fini(f->heap, &marked[i]);
  }
  heap_release(f->heap, marked);
  return good;
}

static bool judge_controls(Judge *j) {
  ThreadFacts *f = j->facts;
  for (uint32_t t = 0; t < j->net->n_trans; t++)
    if (first_private(f, (TransId){t}).v == PLACE_NONE.v) vec_push(f->heap, &j->own[f->thread_of[t]], t);
  vec_push(f->heap, &f->step_start, 0);
  for (uint32_t c = 0; c < thread_facts_controls(f); c++) {
    heap_poll(f->heap);
    if (!judge_control(j, c)) return false;
  }
  return true;
}

/* ---- what the weights add up to ---- */

/* Of one counter. `thread_most`, per thread, is zero. */
static void add_up(ThreadFacts *f, uint32_t counter, uint32_t *thread_most) {
  const uint32_t object = f->counters.at[counter], n = f->counters.n;
  const uint32_t n_values = f->object_start.at[object + 1] - f->object_start.at[object];
  uint64_t most = 0, missing = f->initial.at[object] - f->object_start.at[object];
  for (uint32_t c = 0; c < thread_facts_controls(f); c++) {
    const uint32_t thread = thread_facts_thread(f, c),
                   weight = f->weights.at[(size_t)f->control_kind.at[c] * n + counter];
    if (weight > thread_most[thread]) thread_most[thread] = weight;
  }
  for (uint32_t i = 0; i < f->n_threads; i++) {
    most += thread_most[i];
    missing += n_values - f->weights.at[(size_t)f->control_kind.at[f->start.at[i]] * n + counter];
  }
  for (uint32_t c = 0; c < thread_facts_controls(f); c++) {
    uint32_t *least = &f->kind_most.at[(size_t)f->control_kind.at[c] * n + counter];
    const uint32_t own = thread_most[thread_facts_thread(f, c)];
    if (own < *least) *least = own;
  }
  for (uint32_t i = 0; i < f->n_threads; i++) thread_most[i] = 0;
  vec_push(f->heap, &f->most, most);
  vec_push(f->heap, &f->missing, (uint32_t)(missing % n_values));
}

static void add_up_all(ThreadFacts *f) {
  uint32_t *thread_most = heap_zeroed(f->heap, ((size_t)f->n_threads + 1) * sizeof *thread_most);
  for (uint32_t i = 0; i < f->weights.n; i++) vec_push(f->heap, &f->kind_most, UINT32_MAX);
  for (uint32_t i = 0; i < f->counters.n; i++) {
    heap_poll(f->heap);
    add_up(f, i, thread_most);
  }
  heap_release(f->heap, thread_most);
}

/* ---- the steps of others ---- */

static void add_thread(FactThreads *threads, uint32_t thread) {
  if (threads->first == FACT_NONE) threads->first = thread;
  else if (threads->first != thread) threads->several = true;
}

static void find_threads(ThreadFacts *f) {
  for (uint32_t i = 0; i < f->n_kinds; i++) vec_push(f->heap, &f->kind_threads, ((FactThreads){FACT_NONE, false}));
  for (uint32_t i = 0; i < f->step_kind.n; i++) vec_push(f->heap, &f->step_threads, ((FactThreads){FACT_NONE, false}));
  for (uint32_t c = 0; c < thread_facts_controls(f); c++)
    add_thread(&f->kind_threads.at[f->control_kind.at[c]], thread_facts_thread(f, c));
  for (uint32_t s = 0; s < f->steps.n; s++)
    add_thread(&f->step_threads.at[f->steps.at[s].kind], thread_facts_thread(f, f->steps.at[s].from));
}

static bool judge_interference(Judge *j, uint32_t step_kind, uint32_t kind) {
  const ThreadFacts *f = j->facts;
  const FactStep *step = &f->steps.at[f->step_kind.at[step_kind]];
  const FactEffects effects = thread_facts_effects(f, step->transition);
  const FactThreads there = f->kind_threads.at[kind], who = f->step_threads.at[step_kind];
  const uint32_t from = f->control_kind.at[step->from];
  if (!fact_threads_two(there, who)) return true;
  if (!may_be_beside(f, effects, from, kind) || !thread_facts_meet_alone(f, from, kind)) return true;
  for (uint32_t i = 0; i < effects.n; i++)
    if (!bitset_has(value_row(f, kind), effects.at[i].post))
      return breaks(j, step->transition, "the values of other threads");
  return true;
}

static bool judge_others(Judge *j) {
  const ThreadFacts *f = j->facts;
  for (uint32_t s = 0; s < f->step_kind.n; s++) {
    const FactEffects effects = thread_facts_effects(f, f->steps.at[f->step_kind.at[s]].transition);
    bool changes = false;
    for (uint32_t i = 0; i < effects.n; i++) changes = changes || effects.at[i].pre != effects.at[i].post;
    heap_poll(f->heap);
    for (uint32_t k = 0; changes && k < f->n_kinds; k++)
      if (!judge_interference(j, s, k)) return false;
  }
  return true;
}

/* ---- all ---- */

bool thread_facts_judge(ThreadFacts *facts, Err *err) {
  Heap *heap = facts->heap;
  Judge j = {.facts = facts, .net = facts->net, .err = err};
  uint32_t *counts = heap_zeroed(heap, heap_product(heap, 3 * (uint64_t)facts->value_size.n + 1, sizeof *counts));
  j.taken = counts;
  j.put = counts + facts->value_size.n;
  j.returned = j.put + facts->value_size.n;
  j.own = heap_zeroed(heap, heap_product(heap, (uint64_t)facts->n_threads + 1, sizeof *j.own));
  j.row = heap_alloc(heap, (facts->bit_words + facts->value_words + 1) * sizeof *j.row);
  intern_init(&j.step_kinds, heap);
  bool good = find_initial(&j) && find_effects(&j) && judge_starts(&j) && judge_controls(&j);
  if (good) add_up_all(facts);
  if (good) find_threads(facts);
  good = good && judge_others(&j) && pair_judge(facts, err);
  for (uint32_t i = 0; i < facts->n_threads; i++) vec_fini(heap, &j.own[i]);
  heap_release(heap, j.own);
  heap_release(heap, j.row);
  heap_release(heap, counts);
  intern_fini(&j.step_kinds);
  vec_fini(heap, &j.met);
  vec_fini(heap, &j.next);
  vec_fini(heap, &j.words);
  return good;
}
