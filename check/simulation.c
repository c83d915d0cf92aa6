#include "check/simulation.h"

void simulation_init(Simulation *simulation, const Colouring *colouring, const Net *net) {
  Heap *heap = colouring->heap;
  const ThreadFacts *facts = colouring->facts;
  const uint32_t n_blocks = facts->net->notes->n_blocks;
  const size_t n_places = (size_t)net->n_places + 1;
  Simulation s = {.heap = heap, .colouring = colouring, .net = net};
  s.part = heap_alloc(heap, n_places * sizeof *s.part);
  s.before = heap_zeroed(heap, n_places * sizeof *s.before);
  s.after = heap_zeroed(heap, n_places * sizeof *s.after);
  for (uint32_t p = 0; p < net->n_places; p++) s.part[p] = FACT_NONE;
  s.values = heap_zeroed(heap, heap_product(heap, (uint64_t)facts->value_size.n + 1, sizeof *s.values));
  s.chain = heap_zeroed(heap, heap_product(heap, colouring_chain_values(colouring), sizeof *s.chain));
  s.states = heap_zeroed(heap, heap_product(heap, (uint64_t)colouring->states.n + 1, sizeof *s.states));
  s.red = heap_alloc(heap, heap_product(heap, (uint64_t)n_blocks + 1, sizeof *s.red));
  for (uint32_t b = 0; b < n_blocks; b++) s.red[b] = FACT_NONE;
  *simulation = s;
}

void simulation_fini(Simulation *simulation) {
  Simulation *s = simulation;
  Heap *heap = s->heap;
  for (uint32_t i = 0; i < s->colouring->facts->value_size.n; i++) vec_fini(heap, &s->values[i]);
  for (uint32_t i = 0; i < colouring_chain_values(s->colouring); i++) vec_fini(heap, &s->chain[i]);
  for (uint32_t i = 0; i < s->colouring->states.n; i++) vec_fini(heap, &s->states[i]);
  heap_release(heap, s->part);
  heap_release(heap, s->values);
  heap_release(heap, s->chain);
  heap_release(heap, s->states);
  heap_release(heap, s->red);
  heap_release(heap, s->before);
  heap_release(heap, s->after);
  vec_fini(heap, &s->open);
  vec_fini(heap, &s->found);
  vec_fini(heap, &s->left);
  vec_fini(heap, &s->ways);
}

/* ---- the claims ---- */

/* The parts: threads, objects, the chain, the choice. */
static uint32_t part_of_object(const Simulation *s, uint32_t object) { return s->colouring->facts->n_threads + object; }
static uint32_t part_of_chain(const Simulation *s) {
  return part_of_object(s, thread_facts_objects(s->colouring->facts));
}

static bool stand_for(Simulation *s, U32Vec *places, uint32_t part, PlaceId place, Err *err) {
  if (s->part[place.v] != FACT_NONE && s->part[place.v] != part)
    return err_set(err, ERR_CHECK, "place %u of the coloured net stands for two things", place.v + 1);
  s->part[place.v] = part;
  vec_push(s->heap, places, place.v);
  return true;
}

static uint32_t thread_of_state(const Simulation *s, uint32_t state) {
  return thread_facts_thread(s->colouring->facts, s->colouring->states.at[state].control);
}

bool simulation_value(Simulation *simulation, uint32_t value, PlaceId place, Err *err) {
  const uint32_t object = thread_facts_object_of(simulation->colouring->facts, value);
  return stand_for(simulation, &simulation->values[value], part_of_object(simulation, object), place, err);
}

bool simulation_chain(Simulation *simulation, uint32_t chain, PlaceId place, Err *err) {
  return stand_for(simulation, &simulation->chain[chain], part_of_chain(simulation), place, err);
}

bool simulation_open(Simulation *simulation, PlaceId place, Err *err) {
  return stand_for(simulation, &simulation->open, part_of_chain(simulation) + 1, place, err);
}

bool simulation_state(Simulation *simulation, uint32_t state, PlaceId place, Err *err) {
  return stand_for(simulation, &simulation->states[state], thread_of_state(simulation, state), place, err);
}

void simulation_red(Simulation *simulation, uint32_t block, PlaceId place) { simulation->red[block] = place.v; }

/* ---- steps ---- */

static bool has_place(const U32Vec *places, uint32_t p) {
  for (uint32_t i = 0; i < places->n; i++)
    if (places->at[i] == p) return true;
  return false;
}

static void add_places(Simulation *s, U32Vec *list, uint32_t *seen, const U32Vec *places) {
  for (uint32_t i = 0; i < places->n; i++) {
    if (seen[places->at[i]] == s->round) continue;
    seen[places->at[i]] = s->round;
    vec_push(s->heap, list, places->at[i]);
  }
}

/* What stands for all that the step finds and leaves but the thread, to s->found and s->left. */
static void list_places(Simulation *s, const ColouringStep *step) {
  const ThreadFacts *f = s->colouring->facts;
  const FactEffects effects = thread_facts_effects(f, f->steps.at[step->step].transition);
  s->round++;
  vec_clear(&s->found);
  vec_clear(&s->left);
  for (uint32_t i = 0; i < effects.n; i++) {
    add_places(s, &s->found, s->before, &s->values[effects.at[i].pre]);
    add_places(s, &s->left, s->after, &s->values[effects.at[i].post]);
  }
  if (step->chain_from != FACT_NONE) add_places(s, &s->found, s->before, &s->chain[step->chain_from]);
  if (step->chain_to != FACT_NONE) add_places(s, &s->left, s->after, &s->chain[step->chain_to]);
  if (step->chooses) add_places(s, &s->found, s->before, &s->open);
}

/* Do the same places stand for all that the step finds and for all that it leaves? */
static bool changes_nothing(const Simulation *s) {
  if (s->found.n != s->left.n) return false;
  for (uint32_t i = 0; i < s->left.n; i++)
    if (s->before[s->left.at[i]] != s->round) return false;
  return true;
}

/* Are the places that t takes among those found, and the one that stands for the thread? */
static bool is_enabled(const Simulation *s, TransId t, uint32_t own) {
  const PlaceList pre = net_pre(s->net, t);
  for (uint32_t i = 0; i < pre.n; i++)
    if (pre.at[i].v != own && s->before[pre.at[i].v] != s->round) return false;
  return true;
}

/* The one place that t puts a token on beside what should be left, if that is left; else FACT_NONE. */
static uint32_t place_behind(const Simulation *s, TransId t) {
  const PlaceList pre = net_pre(s->net, t), post = net_post(s->net, t);
  uint32_t next = FACT_NONE;
  for (uint32_t i = 0; i < post.n; i++) {
    const uint32_t p = post.at[i].v;
    if (s->after[p] == s->round) continue;
    if (next != FACT_NONE) return FACT_NONE;
    next = p;
  }
  for (uint32_t i = 0; i < s->found.n; i++)
    if (s->after[s->found.at[i]] != s->round && !net_place_list_has(pre, (PlaceId){s->found.at[i]})) return FACT_NONE;
  for (uint32_t i = 0; i < s->left.n; i++) {
    const PlaceId p = {s->left.at[i]};
    const bool stays = s->before[p.v] == s->round && !net_place_list_has(pre, p);
    if (!stays && !net_place_list_has(post, p)) return FACT_NONE;
  }
  return next;
}

/* Is the step matched from this place of its thread? */
static bool is_matched(const Simulation *s, const ColouringStep *step, uint32_t own) {
  const TransList next = net_consumers(s->net, (PlaceId){own});
  if (changes_nothing(s) && has_place(&s->states[step->to], own)) return true;
  for (uint32_t i = 0; i < next.n; i++) {
    if (!is_enabled(s, next.at[i], own)) continue;
    const uint32_t behind = place_behind(s, next.at[i]);
    if (behind != FACT_NONE && has_place(&s->states[step->to], behind)) return true;
  }
  return false;
}

/* The same of a step that marks red. */
static bool is_red_matched(const Simulation *s, const ColouringStep *step, uint32_t own) {
  const TransList next = net_consumers(s->net, (PlaceId){own});
  const uint32_t red = s->red[(s->colouring->states.at[step->from].mode - MODE_CHOSEN) / 2];
  for (uint32_t i = 0; red != FACT_NONE && i < next.n; i++)
    if (is_enabled(s, next.at[i], own) && net_place_list_has(net_post(s->net, next.at[i]), (PlaceId){red})) return true;
  return false;
}

/* Adds the places to which transitions move that one, and nothing else. */
static void add_ways(Simulation *s, uint32_t own) {
  const TransList next = net_consumers(s->net, (PlaceId){own});
  for (uint32_t i = 0; i < next.n; i++) {
    const PlaceList pre = net_pre(s->net, next.at[i]), post = net_post(s->net, next.at[i]);
    if (pre.n == 1 && post.n == 1 && s->part[post.at->v] == s->part[own] && !has_place(&s->ways, post.at->v))
      vec_push(s->heap, &s->ways, post.at->v);
  }
}

/* Is it matched from that place, or from one to which it can be moved before? */
static bool finds_match(Simulation *s, const ColouringStep *step, uint32_t own) {
  vec_clear(&s->ways);
  vec_push(s->heap, &s->ways, own);
  for (uint32_t i = 0; i < s->ways.n; i++) {
    const uint32_t place = s->ways.at[i];
    if (i % 64 == 63) heap_poll(s->heap);
    if (step->to == COLOURING_RED ? is_red_matched(s, step, place) : is_matched(s, step, place)) return true;
    add_ways(s, place);
  }
  return false;
}

static bool judge_step(Simulation *s, const ColouringStep *step, Err *err) {
  const ThreadFacts *f = s->colouring->facts;
  const U32Vec *places = &s->states[step->from];
  if (!places->n) return true; /* then no step is matched that leads there */
  list_places(s, step);
  for (uint32_t i = 0; i < places->n; i++) {
    if (i % 64 == 63) heap_poll(s->heap);
    if (!finds_match(s, step, places->at[i]))
      return err_set(err, ERR_CHECK, "a step by transition '%.200s' is not matched from place %u of the coloured net",
                     f->net->trans_name[f->steps.at[step->step].transition.v], places->at[i] + 1);
  }
  return true;
}

/* ---- the start ---- */

static bool bad_start(Err *err) {
  return err_set(err, ERR_CHECK, "the places that are marked initially do not stand for the initial state");
}

/* Of each thread one place is marked, which stands for its initial state. */
static bool judge_thread(const Simulation *s, const uint32_t *marked, uint32_t thread, Err *err) {
  const uint32_t p = marked[thread];
  if (p == FACT_NONE || !has_place(&s->states[s->colouring->initial.at[thread]], p)) return bad_start(err);
  return true;
}

static bool judge_threads(const Simulation *s, Err *err) {
  const uint32_t n_threads = s->colouring->facts->n_threads;
  uint32_t *marked = heap_alloc(s->heap, heap_product(s->heap, (uint64_t)n_threads + 1, sizeof *marked));
  bool good = true;
  for (uint32_t i = 0; i < n_threads; i++) marked[i] = FACT_NONE;
  for (uint32_t p = 0; p < s->net->n_places; p++) {
    if (!s->net->marked[p] || s->part[p] >= n_threads) continue;
    if (marked[s->part[p]] != FACT_NONE) good = bad_start(err);
    marked[s->part[p]] = p;
  }
  for (uint32_t i = 0; good && i < n_threads; i++) good = judge_thread(s, marked, i, err);
  heap_release(s->heap, marked);
  return good;
}

/* Of all else just those are marked that stand for it. */
static bool judge_start(Simulation *s, Err *err) {
  const ThreadFacts *f = s->colouring->facts;
  s->round++;
  vec_clear(&s->found);
  for (uint32_t o = 0; o < thread_facts_objects(f); o++)
    add_places(s, &s->found, s->before, &s->values[f->initial.at[o]]);
  add_places(s, &s->found, s->before, &s->chain[CHAIN_NOWHERE]);
  add_places(s, &s->found, s->before, &s->open);
  for (uint32_t i = 0; i < s->found.n; i++)
    if (!s->net->marked[s->found.at[i]]) return bad_start(err);
  for (uint32_t p = 0; p < s->net->n_places; p++)
    if (s->net->marked[p] && s->part[p] >= f->n_threads && s->before[p] != s->round) return bad_start(err);
  return judge_threads(s, err);
}

bool simulation_judge(Simulation *simulation, Err *err) {
  const Colouring *c = simulation->colouring;
  if (!judge_start(simulation, err)) return false;
  for (uint32_t i = 0; i < c->steps.n; i++) {
    if (i % 64 == 0) heap_poll(simulation->heap);
    if (!judge_step(simulation, &c->steps.at[i], err)) return false;
  }
  return true;
}
