/* The states are explored from the initial ones, taking the threads one by one: a step happens once its thread is there
 * and each value that it finds has been met. When nothing new is met, the states of chosen threads that cannot come to
 * red any more are found, and all is explored anew without steps to these; until there are none. */
#include "check/colouring.h"

#include <stdlib.h>

enum { IS_MET = 1, IS_HOPELESS = 2 }; /* of a state */

void colouring_init(Colouring *colouring, const ThreadFacts *facts) {
  Heap *heap = facts->heap;
  Colouring c = {.heap = heap, .facts = facts};
  groups_init(&c.groups, facts);
  c.blocks = heap_zeroed(heap, (size_t)facts->net->notes->n_blocks + 1);
  intern_init(&c.numbers, heap);
  *colouring = c;
}

void colouring_fini(Colouring *colouring) {
  Heap *heap = colouring->heap;
  groups_fini(&colouring->groups);
  heap_release(heap, colouring->blocks);
  heap_release(heap, colouring->may_choose);
  intern_fini(&colouring->numbers);
  vec_fini(heap, &colouring->states);
  vec_fini(heap, &colouring->initial);
  vec_fini(heap, &colouring->step_start);
  vec_fini(heap, &colouring->steps);
  heap_release(heap, colouring->values);
  heap_release(heap, colouring->chain);
  vec_fini(heap, &colouring->known);
}

/* ---- the claims ---- */

void colouring_ask(Colouring *colouring, uint32_t block) { colouring->blocks[block] = true; }

/* ---- threads that behave alike ---- */

typedef struct {
  Colouring *c;
  uint32_t *index; /* per control: which one of its thread's it is */
  Intern steps;    /* what a step does, as words */
  U32Vec words, row;
} Comparison;

static uint32_t describe_step(Comparison *x, const FactStep *step) {
  const ThreadFacts *f = x->c->facts;
  const TransNote *note = &f->net->notes->transitions[step->transition.v];
  const FactEffects effects = thread_facts_effects(f, step->transition);
  vec_clear(&x->words);
  vec_push(f->heap, &x->words, x->index[step->to]);
  vec_push(f->heap, &x->words, note->begin);
  vec_push(f->heap, &x->words, note->end);
  vec_push(f->heap, &x->words, effects.n);
  for (uint32_t i = 0; i < effects.n; i++) {
    vec_push(f->heap, &x->words, effects.at[i].object);
    vec_push(f->heap, &x->words, effects.at[i].pre);
    vec_push(f->heap, &x->words, effects.at[i].post);
  }
  const GroupAccesses accesses = groups_accesses(&x->c->groups, step->transition);
  for (uint32_t i = 0; i < accesses.n; i++) {
    const GroupAccess *access = &accesses.at[i];
    vec_push(f->heap, &x->words, access->group);
    vec_push(f->heap, &x->words, 4 * (uint32_t)access->takes + 2 * (uint32_t)access->puts + (uint32_t)access->writes);
  }
  return intern_add(&x->steps, (const char *)x->words.at, x->words.n * sizeof *x->words.at, NULL);
}

static int ascending(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Adds the number of steps of the control, and what they are in ascending order, to the description of its thread. */
static void describe_control(Comparison *x, uint32_t control, U32Vec *description) {
  const ThreadFacts *f = x->c->facts;
  vec_clear(&x->row);
  for (uint32_t s = f->step_start.at[control]; s < f->step_start.at[control + 1]; s++) {
    const uint32_t number = describe_step(x, &f->steps.at[s]);
    vec_push(f->heap, &x->row, number);
  }
  if (x->row.n > 1) qsort(x->row.at, x->row.n, sizeof *x->row.at, ascending);
  vec_push(f->heap, description, x->row.n);
  for (uint32_t i = 0; i < x->row.n; i++) vec_push(f->heap, description, x->row.at[i]);
}

/* What each thread does, in the order of its controls: which of them it starts at, then control by control. */
static U32Vec *describe_threads(Comparison *x) {
  const ThreadFacts *f = x->c->facts;
  const uint32_t n = thread_facts_controls(f);
  U32Vec *descriptions = heap_zeroed(f->heap, heap_product(f->heap, (uint64_t)f->n_threads + 1, sizeof *descriptions));
  uint32_t *count = heap_zeroed(f->heap, heap_product(f->heap, (uint64_t)f->n_threads + 1, sizeof *count));
  for (uint32_t i = 0; i < n; i++) x->index[i] = count[thread_facts_thread(f, i)]++;
  for (uint32_t i = 0; i < f->n_threads; i++)
    vec_push(f->heap, &descriptions[i], x->index[x->c->states.at[x->c->initial.at[i]].control]);
  for (uint32_t i = 0; i < n; i++) {
    heap_poll(f->heap);
    describe_control(x, i, &descriptions[thread_facts_thread(f, i)]);
  }
  heap_release(f->heap, count);
  return descriptions;
}

/* Of threads with the same description the first one. */
static void find_choosers(Colouring *c) {
  const ThreadFacts *f = c->facts;
  Comparison x = {.c = c};
  Intern known;
  x.index = heap_alloc(f->heap, heap_product(f->heap, (uint64_t)thread_facts_controls(f) + 1, sizeof *x.index));
  c->may_choose = heap_zeroed(f->heap, (size_t)f->n_threads + 1);
  intern_init(&x.steps, f->heap);
  intern_init(&known, f->heap);
  U32Vec *descriptions = describe_threads(&x);
  for (uint32_t i = 0; i < f->n_threads; i++) {
    const U32Vec *words = &descriptions[i];
    intern_add(&known, (const char *)words->at, words->n * sizeof *words->at, &c->may_choose[i]);
    vec_fini(f->heap, &descriptions[i]);
  }
  heap_release(f->heap, descriptions);
  heap_release(f->heap, x.index);
  intern_fini(&x.steps);
  intern_fini(&known);
  vec_fini(f->heap, &x.words);
  vec_fini(f->heap, &x.row);
}

/* ---- states and steps ---- */

uint32_t colouring_find_state(const Colouring *colouring, uint32_t control, uint32_t mode) {
  const ColouringState key = {control, mode};
  const uint32_t number = intern_find(&colouring->numbers, (const char *)&key, sizeof key);
  return number != INTERN_NONE && colouring->known.at[number] & IS_MET ? number : FACT_NONE;
}

static uint32_t number_state(Colouring *c, uint32_t control, uint32_t mode) {
  const ColouringState key = {control, mode};
  bool is_new;
  const uint32_t number = intern_add(&c->numbers, (const char *)&key, sizeof key, &is_new);
  if (!is_new) return number;
  vec_push(c->heap, &c->states, key);
  vec_push(c->heap, &c->known, 0);
  return number;
}

static void meet_value(Colouring *c, uint64_t *met, uint32_t value) {
  if (bitset_has(met, value)) return;
  bitset_add(met, value);
  c->changed = true;
}

/* A thread's state whose steps are made, and one of the facts that they are made of. */
typedef struct {
  Colouring *c;
  uint32_t state, mode;
  uint32_t number; /* of the step */
  const FactStep *step;
  GroupAccesses accesses;
} Maker;

/* To that mode; the chain is found and left there, or FACT_NONE. */
static void make_step(const Maker *m, uint32_t mode, uint32_t chain_from, uint32_t chain_to, bool chooses) {
  Colouring *c = m->c;
  if (chain_from != FACT_NONE && !bitset_has(c->chain, chain_from)) return;
  const uint32_t to = number_state(c, m->step->to, mode);
  const FactEffects effects = thread_facts_effects(c->facts, m->step->transition);
  if (c->known.at[to] & IS_HOPELESS) return;
  c->changed = c->changed || !(c->known.at[to] & IS_MET);
  c->known.at[to] |= IS_MET;
  for (uint32_t i = 0; i < effects.n; i++) meet_value(c, c->values, effects.at[i].post);
  if (chain_to != FACT_NONE) meet_value(c, c->chain, chain_to);
  vec_push(c->heap, &c->steps, ((ColouringStep){m->state, to, m->number, chain_from, chain_to, chooses}));
}

/* The chain, which is found there, is put on any group. */
static void put_down(const Maker *m, uint32_t chain_from, bool by_other, uint32_t mode, bool chooses) {
  for (uint32_t i = 0; i < m->accesses.n; i++) {
    const GroupAccess *access = &m->accesses.at[i];
    if (access->puts) make_step(m, mode, chain_from, chain_at(access->group, access->writes, by_other), chooses);
  }
}

/* Calls `meet` for each place where the chain, put there by the chosen thread or others, can be picked up. */
static void for_each_conflict(const Maker *m, bool by_other, void (*meet)(const Maker *m, uint32_t chain)) {
  for (uint32_t i = 0; i < m->accesses.n; i++) {
    const GroupAccess *access = &m->accesses.at[i];
    if (!access->takes) continue;
    meet(m, chain_at(access->group, true, by_other));
    if (access->writes) meet(m, chain_at(access->group, false, by_other));
  }
}

static void pick_up(const Maker *m, uint32_t chain) {
  make_step(m, MODE_CARRIES, chain, CHAIN_CARRIED, false);
  put_down(m, chain, true, MODE_FREE, false);
}

static void close_chain(const Maker *m, uint32_t chain) {
  Colouring *c = m->c;
  if (bitset_has(c->chain, chain))
    vec_push(c->heap, &c->steps, ((ColouringStep){m->state, COLOURING_RED, m->number, chain, chain, false}));
}

static void make_chosen_steps(const Maker *m) {
  const uint32_t block = (m->mode - MODE_CHOSEN) / 2;
  if (m->c->facts->net->notes->transitions[m->step->transition.v].end == block) return;
  make_step(m, m->mode, FACT_NONE, FACT_NONE, false);
  if ((m->mode - MODE_CHOSEN) % 2 == 0) put_down(m, CHAIN_NOWHERE, false, m->mode + 1, false);
  else for_each_conflict(m, true, close_chain);
}

static void make_choices(const Maker *m) {
  const Colouring *c = m->c;
  const uint32_t block = c->facts->net->notes->transitions[m->step->transition.v].begin;
  if (block == NOTE_NONE || !c->blocks[block]) return;
  if (!c->may_choose[thread_facts_thread(c->facts, m->step->from)]) return;
  make_step(m, MODE_CHOSEN + 2 * block, FACT_NONE, FACT_NONE, true);
  put_down(m, CHAIN_NOWHERE, false, MODE_CHOSEN + 2 * block + 1, true);
}

static void make_steps(const Maker *m) {
  if (m->mode >= MODE_CHOSEN) {
    make_chosen_steps(m);
    return;
  }
  make_step(m, m->mode, FACT_NONE, FACT_NONE, false);
  if (m->mode == MODE_CARRIES) {
    put_down(m, CHAIN_CARRIED, true, MODE_FREE, false);
    return;
  }
  for_each_conflict(m, false, pick_up);
  for_each_conflict(m, true, pick_up);
  make_choices(m);
}

static bool finds_values(const Colouring *c, TransId t) {
  const FactEffects effects = thread_facts_effects(c->facts, t);
  for (uint32_t i = 0; i < effects.n; i++)
    if (!bitset_has(c->values, effects.at[i].pre)) return false;
  return true;
}

static void visit_state(Colouring *c, uint32_t state) {
  const ThreadFacts *f = c->facts;
  const ColouringState at = c->states.at[state];
  if (!(c->known.at[state] & IS_MET)) return;
  for (uint32_t s = f->step_start.at[at.control]; s < f->step_start.at[at.control + 1]; s++) {
    const FactStep *step = &f->steps.at[s];
    if (!finds_values(c, step->transition)) continue;
    const Maker m = {c, state, at.mode, s, step, groups_accesses(&c->groups, step->transition)};
    make_steps(&m);
  }
}

/* Rounds over all states, until one meets nothing new: then its steps are all. */
static void explore(Colouring *c) {
  do {
    c->changed = false;
    vec_clear(&c->steps);
    vec_clear(&c->step_start);
    for (uint32_t s = 0; s < c->states.n; s++) {
      if (s % 64 == 0) heap_poll(c->heap);
      vec_push(c->heap, &c->step_start, c->steps.n);
      visit_state(c, s);
    }
    vec_push(c->heap, &c->step_start, c->steps.n);
  } while (c->changed);
}

/* Back to where nothing was met, but for what is hopeless. */
static void start(Colouring *c) {
  const ThreadFacts *f = c->facts;
  for (uint32_t s = 0; s < c->known.n; s++) c->known.at[s] &= IS_HOPELESS;
  for (size_t i = 0; i < bitset_words(f->value_size.n); i++) c->values[i] = 0;
  for (size_t i = 0; i < bitset_words(colouring_chain_values(c)); i++) c->chain[i] = 0;
  for (uint32_t o = 0; o < thread_facts_objects(f); o++) bitset_add(c->values, f->initial.at[o]);
  bitset_add(c->chain, CHAIN_NOWHERE);
  for (uint32_t i = 0; i < f->n_threads; i++) c->known.at[c->initial.at[i]] |= IS_MET;
}

/* ---- chosen threads that cannot come to red any more ---- */

/* The steps to each state, red last, by their states. */
static uint32_t *reverse_steps(const Colouring *c, uint32_t *start_of) {
  const uint32_t n = c->states.n;
  uint32_t *sources = heap_alloc(c->heap, heap_product(c->heap, (uint64_t)c->steps.n + 1, sizeof *sources));
  for (uint32_t i = 0; i < c->steps.n; i++) {
    const uint32_t to = c->steps.at[i].to;
    start_of[(to == COLOURING_RED ? n : to) + 2]++;
  }
  for (uint32_t s = 0; s <= n; s++) start_of[s + 2] += start_of[s + 1];
  for (uint32_t i = 0; i < c->steps.n; i++) {
    const uint32_t to = c->steps.at[i].to;
    sources[start_of[(to == COLOURING_RED ? n : to) + 1]++] = c->steps.at[i].from;
  }
  return sources;
}

/* True if there is one that was not known yet. */
static bool find_hopeless(Colouring *c) {
  const uint32_t n = c->states.n;
  uint32_t *start_of = heap_zeroed(c->heap, heap_product(c->heap, (uint64_t)n + 3, sizeof *start_of));
  uint32_t *sources = reverse_steps(c, start_of);
  bool *hopeful = heap_zeroed(c->heap, (size_t)n + 1), found = false;
  U32Vec work = {0};
  vec_push(c->heap, &work, n);
  for (uint32_t i = 0; i < work.n; i++)
    for (uint32_t k = start_of[work.at[i]]; k < start_of[work.at[i] + 1]; k++) {
      if (hopeful[sources[k]]) continue;
      hopeful[sources[k]] = true;
      vec_push(c->heap, &work, sources[k]);
    }
  for (uint32_t s = 0; s < n; s++) {
    if (c->states.at[s].mode < MODE_CHOSEN || hopeful[s] || c->known.at[s] != IS_MET) continue;
    c->known.at[s] |= IS_HOPELESS;
    found = true;
  }
  heap_release(c->heap, start_of);
  heap_release(c->heap, sources);
  heap_release(c->heap, hopeful);
  vec_fini(c->heap, &work);
  return found;
}

/* ---- all ---- */

static void find_initial(Colouring *c) {
  for (uint32_t i = 0; i < c->facts->n_threads; i++) {
    const uint32_t state = number_state(c, c->facts->start.at[i], MODE_FREE);
    vec_push(c->heap, &c->initial, state);
  }
}

bool colouring_make(Colouring *colouring, Err *err) {
  Colouring *c = colouring;
  if (!groups_judge(&c->groups, err)) return false;
  c->values = heap_alloc(c->heap, (bitset_words(c->facts->value_size.n) + 1) * sizeof *c->values);
  c->chain = heap_alloc(c->heap, (bitset_words(colouring_chain_values(c)) + 1) * sizeof *c->chain);
  find_initial(c);
  find_choosers(c);
  do {
    start(c);
    explore(c);
  } while (find_hopeless(c));
  return true;
}
