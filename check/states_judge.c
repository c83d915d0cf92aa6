/* For `over`, controls are struck off at which no thread can be in a marking in which no transition is enabled. One is
 * struck off if some transition finds there what it takes, whatever values the objects may have as long as all other
 * threads are at controls that are not struck off: it would be enabled. */
#include "check/states_judge.h"

/* ---- places of threads ---- */

static bool expect_private(const ThreadFacts *f, const bool *chosen, Err *err) {
  for (uint32_t p = 0; p < f->net->n_places; p++)
    if (chosen[p] && f->owner[p] == FACT_NONE)
      return err_set(err, ERR_CHECK, "place '%.200s' is private to no thread", f->net->place_name[p]);
  return true;
}

static bool has_place(const ThreadFacts *f, uint32_t control, const bool *chosen) {
  const PlaceList places = thread_facts_places(f, control);
  for (uint32_t i = 0; i < places.n; i++)
    if (chosen[places.at[i].v]) return true;
  return false;
}

static FactThreads *new_threads(const ThreadFacts *f) {
  FactThreads *threads = heap_alloc(f->heap, heap_product(f->heap, (uint64_t)f->n_kinds + 1, sizeof *threads));
  for (uint32_t k = 0; k < f->n_kinds; k++) threads[k] = (FactThreads){FACT_NONE, false};
  return threads;
}

static void add_thread(FactThreads *threads, uint32_t thread) {
  if (threads->first == FACT_NONE) threads->first = thread;
  threads->several = threads->several || threads->first != thread;
}

/* Per kind: the threads that have a control of it with such a place. */
static FactThreads *find_threads(const ThreadFacts *f, const bool *chosen) {
  FactThreads *threads = new_threads(f);
  for (uint32_t c = 0; c < thread_facts_controls(f); c++)
    if (has_place(f, c, chosen)) add_thread(&threads[f->control_kind.at[c]], thread_facts_thread(f, c));
  return threads;
}

bool states_judge_away(const ThreadFacts *facts, const bool *places, Err *err) {
  if (!expect_private(facts, places, err)) return false;
  for (uint32_t c = 0; c < thread_facts_controls(facts); c++)
    if (has_place(facts, c, places))
      return err_set(err, ERR_CHECK, "thread %u may be at one of these places", thread_facts_thread(facts, c) + 1);
  return true;
}

bool states_judge_apart(const ThreadFacts *facts, const bool *first, const bool *second, Err *err) {
  if (!expect_private(facts, first, err) || !expect_private(facts, second, err)) return false;
  FactThreads *one = find_threads(facts, first), *other = find_threads(facts, second);
  bool good = true;
  for (uint32_t k = 0; good && k < facts->n_kinds; k++) {
    heap_poll(facts->heap);
    for (uint32_t m = 0; good && m < facts->n_kinds; m++)
      good = !fact_threads_two(one[k], other[m]) || !thread_facts_meet(facts, k, m);
  }
  heap_release(facts->heap, one);
  heap_release(facts->heap, other);
  return good || err_set(err, ERR_CHECK, "two threads may be there at once");
}

/* ---- where no transition is enabled ---- */

typedef struct {
  const ThreadFacts *facts;
  bool *plain;          /* per transition: is_plain */
  bool *waits;          /* per control: it is not struck off */
  U32Vec *controls;     /* per thread */
  FactThreads *at_kind; /* per kind: those that may wait at a control of it, or could when that was summed up last */
  Intern groups;        /* of threads: the kinds of the controls at which they may wait, as of then; */
  VEC(FactThreads) in_group;
  U32Vec kinds; /* of the thread at hand */
  bool *known;  /* per object: its value is, of the case at hand */
  uint32_t n_known;
  uint32_t left; /* cases that may still be looked at, of one control */
} Waiting;

enum { MOST_CASES = 1 << 16, MOST_KNOWN = 1 << 12 };

static bool allows(const ThreadFacts *f, uint32_t kind, uint32_t object, uint32_t value) {
  return thread_facts_allows(f, kind, value) &&
         (value != f->initial.at[object] || !thread_facts_holds(f, kind, object));
}

/* May another thread than this one, which is at a control of the kind, hold the object? */
static bool is_held_beside(const Waiting *w, uint32_t thread, uint32_t kind, uint32_t object) {
  for (uint32_t k = 0; k < w->facts->n_kinds; k++)
    if (fact_threads_other(w->at_kind[k], thread) && thread_facts_holds(w->facts, k, object) &&
        thread_facts_meet_alone(w->facts, kind, k))
      return true;
  return false;
}

/* May the object have the value while a thread waits at a control of one of some kinds, and another one is at `kind`?
 */
static bool kinds_allow(const Waiting *w, uint32_t group, uint32_t kind, uint32_t object, uint32_t value) {
  const uint32_t *kinds = (const uint32_t *)(const void *)w->groups.strings.at[group];
  const uint32_t n = w->groups.lengths.at[group] / (uint32_t)sizeof *kinds;
  for (uint32_t i = 0; i < n; i++)
    if (allows(w->facts, kinds[i], object, value) && thread_facts_meet_alone(w->facts, kind, kinds[i])) return true;
  return false;
}

static bool is_excluded(const Waiting *w, uint32_t thread, uint32_t kind, uint32_t object, uint32_t value) {
  const ThreadFacts *f = w->facts;
  if (!allows(f, kind, object, value)) return true;
  if (value != f->initial.at[object] && f->bit_of.at[object] != FACT_NONE && !thread_facts_holds(f, kind, object) &&
      !is_held_beside(w, thread, kind, object))
    return true;
  for (uint32_t i = 0; i < w->in_group.n; i++)
    if (fact_threads_other(w->in_group.at[i], thread) && !kinds_allow(w, i, kind, object, value)) return true;
  return false;
}

/* Per place: is it marked, and does whoever takes its token put it back? */
static bool *find_constant(const ThreadFacts *f) {
  const Net *net = f->net;
  bool *constant = heap_alloc(f->heap, (size_t)net->n_places + 1);
  for (uint32_t p = 0; p < net->n_places; p++) {
    const TransList out = net_consumers(net, (PlaceId){p});
    constant[p] = net->marked[p];
    for (uint32_t i = 0; constant[p] && i < out.n; i++)
      constant[p] = net_place_list_has(net_post(net, out.at[i]), (PlaceId){p});
  }
  return constant;
}

/* Are all places that the transition takes private, of objects, or constant? */
static bool is_plain(const ThreadFacts *f, const bool *constant, TransId transition) {
  const PlaceList pre = net_pre(f->net, transition);
  for (uint32_t i = 0; i < pre.n; i++) {
    const uint32_t p = pre.at[i].v;
    if (f->owner[p] == FACT_NONE && f->value_of[p] == FACT_NONE && !constant[p]) return false;
  }
  return true;
}

static bool finds(FactEffects effects, uint32_t object, uint32_t value) {
  for (uint32_t i = 0; i < effects.n; i++)
    if (effects.at[i].object == object && effects.at[i].pre != value) return false;
  return true;
}

/* Some object that one of the steps looks at; FACT_NONE: they are enabled. */
static uint32_t next_object(const Waiting *w, const U32Vec *steps) {
  for (uint32_t i = 0; i < steps->n; i++) {
    const FactEffects effects = thread_facts_effects(w->facts, w->facts->steps.at[steps->at[i]].transition);
    for (uint32_t e = 0; e < effects.n; e++)
      if (!w->known[effects.at[e].object]) return effects.at[e].object;
  }
  return FACT_NONE;
}

/* Is one of the steps enabled, whatever values the objects have that are not known? All of them find what they need of
 * those that are. */
static bool is_covered(Waiting *w, uint32_t control, const U32Vec *steps) {
  const ThreadFacts *f = w->facts;
  if (!steps->n || !w->left || w->n_known == MOST_KNOWN) return false;
  w->left--;
  heap_poll(f->heap);
  const uint32_t object = next_object(w, steps), thread = thread_facts_thread(f, control);
  if (object == FACT_NONE) return true;
  bool covered = true;
  w->known[object] = true;
  w->n_known++;
  for (uint32_t v = f->object_start.at[object]; covered && v < f->object_start.at[object + 1]; v++) {
    U32Vec fitting = {0};
    if (is_excluded(w, thread, f->control_kind.at[control], object, v)) continue;
    for (uint32_t i = 0; i < steps->n; i++)
      if (finds(thread_facts_effects(f, f->steps.at[steps->at[i]].transition), object, v))
        vec_push(f->heap, &fitting, steps->at[i]);
    covered = is_covered(w, control, &fitting);
    vec_fini(f->heap, &fitting);
  }
  w->known[object] = false;
  w->n_known--;
  return covered;
}

static bool goes_on(Waiting *w, uint32_t control) {
  const ThreadFacts *f = w->facts;
  U32Vec steps = {0};
  for (uint32_t s = f->step_start.at[control]; s < f->step_start.at[control + 1]; s++)
    if (w->plain[f->steps.at[s].transition.v]) vec_push(f->heap, &steps, s); /* its private places are marked there */
  w->left = MOST_CASES;
  const bool good = is_covered(w, control, &steps);
  vec_fini(f->heap, &steps);
  return good;
}

/* With threads that may wait at controls of the same kinds, in the same order. */
static void put_into_group(Waiting *w, uint32_t thread) {
  const ThreadFacts *f = w->facts;
  const U32Vec *controls = &w->controls[thread];
  bool is_new;
  vec_clear(&w->kinds);
  for (uint32_t i = 0; i < controls->n; i++) {
    const uint32_t kind = f->control_kind.at[controls->at[i]];
    if (w->waits[controls->at[i]] && (!w->kinds.n || vec_last(&w->kinds) != kind)) vec_push(f->heap, &w->kinds, kind);
  }
  const char *key = w->kinds.n ? (const char *)w->kinds.at : "";
  const uint32_t group = intern_add(&w->groups, key, w->kinds.n * sizeof *w->kinds.at, &is_new);
  if (is_new) vec_push(f->heap, &w->in_group, ((FactThreads){FACT_NONE, false}));
  add_thread(&w->in_group.at[group], thread);
}

static void sum_up(Waiting *w) {
  const ThreadFacts *f = w->facts;
  for (uint32_t k = 0; k < f->n_kinds; k++) w->at_kind[k] = (FactThreads){FACT_NONE, false};
  for (uint32_t c = 0; c < thread_facts_controls(f); c++)
    if (w->waits[c]) add_thread(&w->at_kind[f->control_kind.at[c]], thread_facts_thread(f, c));
  intern_fini(&w->groups);
  vec_clear(&w->in_group);
  for (uint32_t t = 0; t < f->n_threads; t++) put_into_group(w, t);
}

static void strike_off(Waiting *w) {
  for (bool changed = true; changed;) {
    changed = false;
    sum_up(w);
    for (uint32_t c = 0; c < thread_facts_controls(w->facts); c++) {
      heap_poll(w->facts->heap);
      if (!w->waits[c] || !goes_on(w, c)) continue;
      w->waits[c] = false;
      changed = true;
    }
  }
}

/* Is one of the places that are of objects surely marked while a thread is at a control of the kind? */
static bool has_object_place(const ThreadFacts *f, uint32_t kind, const bool *chosen) {
  for (uint32_t p = 0; p < f->net->n_places; p++) {
    const uint32_t value = f->value_of[p];
    if (!chosen[p] || value == FACT_NONE) continue;
    const uint32_t object = thread_facts_object_of(f, value);
    bool sure = true;
    for (uint32_t v = f->object_start.at[object]; v < f->object_start.at[object + 1]; v++)
      sure = sure && (v == value || !allows(f, kind, object, v));
    if (sure) return true;
  }
  return false;
}

/* Is the thread one without control places, or on one of those chosen that nothing takes from? */
static bool is_still(const ThreadFacts *f, uint32_t thread, const bool *chosen) {
  bool any = false;
  for (uint32_t p = 0; p < f->net->n_places; p++) {
    const PlaceNote *note = &f->net->notes->places[p];
    if (note->role != ROLE_CONTROL || note->thread != thread) continue;
    any = true;
    if (chosen[p] && f->net->marked[p] && !net_consumers(f->net, (PlaceId){p}).n) return true;
  }
  return !any;
}

/* Is the thread over wherever it may wait? *somewhere: it may wait somewhere. */
static bool ends_well(const Waiting *w, uint32_t thread, const bool *over, bool *somewhere) {
  const ThreadFacts *f = w->facts;
  bool good = true;
  *somewhere = false;
  for (uint32_t i = 0; i < w->controls[thread].n; i++) {
    const uint32_t c = w->controls[thread].at[i];
    if (!w->waits[c]) continue;
    *somewhere = true;
    good = good && (has_place(f, c, over) || has_object_place(f, f->control_kind.at[c], over));
  }
  return good;
}

static bool judge_waiting(Waiting *w, const bool *over, Err *err) {
  const ThreadFacts *f = w->facts;
  uint32_t stuck = FACT_NONE;
  strike_off(w);
  for (uint32_t t = 0; t < f->n_threads; t++) {
    bool somewhere;
    const bool good = ends_well(w, t, over, &somewhere);
    if (!somewhere) return true; /* some transition is always enabled */
    if (!good && t < f->net->notes->n_threads && !is_still(f, t, over)) stuck = t;
  }
  return stuck == FACT_NONE || err_set(err, ERR_CHECK, "thread %u may wait for ever elsewhere", stuck + 1);
}

bool states_judge_over(const ThreadFacts *facts, const bool *over, Err *err) {
  Heap *heap = facts->heap;
  const uint32_t n = thread_facts_controls(facts);
  Waiting w = {.facts = facts};
  w.waits = heap_alloc(heap, (size_t)n + 1);
  w.plain = heap_alloc(heap, (size_t)facts->net->n_trans + 1);
  bool *constant = find_constant(facts);
  for (uint32_t t = 0; t < facts->net->n_trans; t++) w.plain[t] = is_plain(facts, constant, (TransId){t});
  heap_release(heap, constant);
  w.controls = heap_zeroed(heap, heap_product(heap, (uint64_t)facts->n_threads + 1, sizeof *w.controls));
  w.at_kind = new_threads(facts);
  w.known = heap_zeroed(heap, (size_t)thread_facts_objects(facts) + 1);
  intern_init(&w.groups, heap);
  for (uint32_t c = 0; c < n; c++) {
    w.waits[c] = true;
    vec_push(heap, &w.controls[thread_facts_thread(facts, c)], c);
  }
  const bool good = judge_waiting(&w, over, err);
  for (uint32_t t = 0; t < facts->n_threads; t++) vec_fini(heap, &w.controls[t]);
  heap_release(heap, w.controls);
  heap_release(heap, w.waits);
  heap_release(heap, w.plain);
  heap_release(heap, w.known);
  heap_release(heap, w.at_kind);
  intern_fini(&w.groups);
  vec_fini(heap, &w.in_group);
  vec_fini(heap, &w.kinds);
  return good;
}
