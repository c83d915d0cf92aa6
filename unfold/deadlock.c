/* Deadlocks are found in the prefix by a SAT solver (K. L. McMillan, "Using unfoldings to avoid the state explosion
 * problem in the verification of asynchronous circuits", CAV 1992, who had a search of his own; K. Heljanko, "Using
 * logic programs with stable model semantics to solve deadlock and reachability problems for 1-safe Petri nets", TACAS
 * 1999; V. Khomenko, M. Koutny, "LP deadlock checking using partial order dependencies", CONCUR 2000; J. Esparza, K.
 * Heljanko, "Unfoldings", 2008).
 *
 * The formula. A variable per event that is no cut-off says whether it is in a configuration C. So that C is one, an
 * event has its causes in C, and no condition has two consumers in C. And no event e of the prefix, cut-offs included,
 * is enabled after C: some condition of e's preset is not produced, or is consumed. As C has no cut-off, all its
 * extensions in the unfolding are in the prefix: the models are the configurations without cut-offs whose marking is a
 * deadlock.
 *
 * Where it is a formula about markings (petri/formula.h) that is to hold after C, that stands in the place of the last
 * condition (formula_sat.h); all else is the same.
 *
 * They are enough. Of the configurations of the whole unfolding that lead to a deadlock, let C be one that is minimal
 * in the order of the prefix. If it had a cut-off e, C = [e] + E, then the same could happen after the corresponding
 * e' (or at the start, if that is what e comes back to), which has the same marking: [e'] + E' leads to the same
 * deadlock, and is smaller, because [e'] < [e] and the order is adequate, that is, extensions keep it. So C has no
 * cut-off and is a model. Both orders refine the size: C can be chosen of the smallest size that there is. A smallest
 * model is therefore as long as a shortest firing sequence of the net.
 *
 * The size of C is counted by classes of events. A class has the transitions that take a token from one place p, and
 * every transition is given to one class. The net is 1-safe, so no two conditions of p are concurrent, and of two
 * events of a class in C one is a cause of the other. Thus the class's events in C are a chain, whose last event e
 * knows how many they are: those in [e]. This number is a constant, its rank; an event in C makes the number of its
 * class at least its rank, and the size of C is the sum over the classes. There are as many classes as places at most,
 * where there may be thousands of events per place.
 *
 * To go below the k events of a model, the formula says that no event e with k or more events in [e] is in C, and if
 * there still is a model, that the sum is less than k. All configurations of less than k events are such: "no model"
 * proves that k is least.
 *
 * The solver is at a loss with some nets that have few reachable markings. So it takes turns with an explicit search of
 * these (states.h), in portions of work that are counted, so that the answer depends on the net alone, and that double:
 * neither waits for more than a few times as long as the other one needs. The explicit search begins, breadth first:
 * what it finds is nearest, and as far as it came without a deadlock there is none. */
#include "unfold/deadlock.h"

#include "base/bitset.h"
#include "base/unary.h"
#include "unfold/formula_sat.h"
#include "unfold/limits.h"
#include "unfold/states.h"

#include <assert.h>
#include <stdio.h>

enum {
  MAX_CLAUSES = 1 << 22, /* for the sum: about half a gigabyte */
  MAX_STEPS = 1 << 28,   /* for the ranks: about a second */
  MAX_MARKINGS = 1 << 21,
  FIRST_PORTION = 1 << 19,   /* of work of the explicit search, some 20 milliseconds, */
  PER_ARC = 8,               /* and for each arc of the prefix: so much the formula costs before the solver can begin */
  WORK_PER_PROPAGATION = 10, /* of the portion to come: so the solver has some two thirds of the time, */
  PATIENCE = 4               /* and as many times that where the explicit search seems to be far from its end */
};

typedef struct {
  const Prefix *prefix;
  Heap *heap;
  UnfoldOptions unlimited; /* what `limits` looks at */
  Limits limits;
  SatSolver *solver;
  SatLiteral *event;    /* per event: it is in C; SAT_NONE of a cut-off */
  SatLiteral *consumed; /* per condition: only if it is true, a consumer is in C; SAT_NONE: no consumer ever is */
  Deadlock found;
  const DeadlockOptions *options;
  bool decided; /* by the explicit search, which has filled `found` */

  States states;
  bool exploring;      /* the explicit search goes on */
  StatesStatus status; /* after its last portion */
  uint64_t portion;    /* of work: the next one */
  StatesFormula goal;  /* of the explicit search, where a formula is sought */

  uint32_t end;   /* events from here on are not in C */
  PlaceId *class; /* per transition */
  Unary *numbers; /* per class, then their sum in numbers[0] */
  uint64_t *seen; /* per event; all zero between two uses */
  U32Vec past;
} Search;

static bool is_stopped(void *search) {
  Search *s = search;
  limits_look(&s->limits);
  return s->limits.stopped;
}

static void begin(Search *s, const Prefix *prefix, const DeadlockOptions *options) {
  const uint64_t n_arcs = (uint64_t)prefix->pre_start[prefix->n_events] + prefix->n_conditions;
  *s = (Search){.prefix = prefix, .heap = prefix->heap, .end = prefix->n_events, .options = options};
  s->portion = options->portion ? options->portion : FIRST_PORTION + PER_ARC * n_arcs;
  limits_init(&s->limits, s->heap, &s->unlimited);
  s->event = heap_zeroed(s->heap, heap_product(s->heap, prefix->n_events, sizeof *s->event));
  s->consumed = heap_zeroed(s->heap, heap_product(s->heap, prefix->n_conditions, sizeof *s->consumed));
  s->class = heap_alloc(s->heap, heap_product(s->heap, prefix->net->n_trans, sizeof *s->class));
  s->numbers = heap_zeroed(s->heap, heap_product(s->heap, prefix->net->n_places, sizeof *s->numbers));
  s->seen = heap_zeroed(s->heap, bitset_words(prefix->n_events) * sizeof *s->seen);
  s->exploring = !options->by_solver;
  if (s->exploring) states_init(&s->states, s->heap, prefix->net, &s->limits, MAX_MARKINGS);
  if (options->formula) states_formula_init(&s->goal, s->heap, options->formula);
}

static void end_exploring(Search *s) {
  if (s->exploring) states_fini(&s->states);
  s->exploring = false;
}

/* All but the solver. */
static void end(Search *s) {
  end_exploring(s);
  states_formula_fini(&s->goal, s->heap);
  for (uint32_t p = 0; p < s->prefix->net->n_places; p++) vec_fini(s->heap, &s->numbers[p]);
  vec_fini(s->heap, &s->past);
  heap_release(s->heap, s->event);
  heap_release(s->heap, s->consumed);
  heap_release(s->heap, s->class);
  heap_release(s->heap, s->numbers);
  heap_release(s->heap, s->seen);
}

/* ---- the explicit search ---- */

static void explore_body(void *search) {
  Search *s = search;
  const bool formula = s->options->formula != NULL;
  s->status = states_explore(&s->states, formula ? states_satisfy : states_is_dead, &s->goal, s->portion);
}

/* No run to a deadlock is longer than what was found before, if anything was, and so there is room for this one. */
static void take_nearest(Search *s) {
  const uint32_t n = states_run(&s->states, s->states.at, NULL);
  if (s->found.answer != DEADLOCK_FOUND)
    s->found.run = heap_alloc(s->heap, heap_product(s->heap, n, sizeof *s->found.run));
  assert(s->found.answer != DEADLOCK_FOUND || n <= s->found.n_run);
  s->found.n_run = states_run(&s->states, s->states.at, s->found.run);
  s->found.answer = DEADLOCK_FOUND;
  s->found.shortest = true;
}

/* Every marking with a shorter way than that to the one at hand has been looked at. */
static void compare_depths(Search *s) {
  if (s->found.answer != DEADLOCK_FOUND || states_run(&s->states, s->states.at, NULL) < s->found.n_run) return;
  s->found.shortest = s->decided = true;
}

/* Where memory runs out in it the solver may still do with what it held. */
static void explore(Search *s) {
  if (!heap_try(s->heap, explore_body, s)) {
    if (heap_why(s->heap) != STOP_MEMORY) heap_pass_on(s->heap);
    s->status = STATES_FULL;
  }
  switch (s->status) {
  case STATES_MORE:
    s->portion *= 2;
    compare_depths(s);
    break;
  case STATES_ALL:
    assert(s->found.answer != DEADLOCK_FOUND);
    s->found.answer = DEADLOCK_NONE;
    s->decided = true;
    break;
  case STATES_FOUND:
    take_nearest(s);
    s->decided = true;
    break;
  case STATES_FULL: end_exploring(s); break;
  case STATES_STOPPED: break;
  case STATES_UNSAFE: assert(false); break; /* a net with a complete prefix is safe */
  }
}

/* The propagations of the solver's turn. Where more than half of the markings found have not been looked at, these are
 * by far not all. */
static uint64_t solvers_turn(const Search *s) {
  const uint64_t turn = s->portion / WORK_PER_PROPAGATION, n_open = s->states.steps.n - s->states.next;
  return 2 * n_open > s->states.steps.n ? PATIENCE * turn : turn;
}

/* The two in turn, until one of them knows: `decided`, or else an answer of the solver. Unknown: the heap was asked to
 * stop. */
static SatAnswer solve(Search *s) {
  SatAnswer answer = SAT_UNKNOWN;
  while (answer == SAT_UNKNOWN && !s->limits.stopped && s->exploring) {
    answer = sat_solve_for(s->solver, solvers_turn(s));
    if (answer != SAT_UNKNOWN || s->limits.stopped) break;
    explore(s);
    if (s->decided) return SAT_UNKNOWN;
  }
  return answer == SAT_UNKNOWN && !s->limits.stopped ? sat_solve(s->solver) : answer;
}

/* ---- the clauses ---- */

/* The event with its causes. */
static void add_event(Search *s, uint32_t e) {
  const Prefix *prefix = s->prefix;
  if (prefix->is_cutoff[e]) return;
  s->event[e] = sat_add_variable(s->solver);
  for (uint32_t i = prefix->pre_start[e]; i < prefix->pre_start[e + 1]; i++) {
    const EventId producer = prefix->producer[prefix->pre[i].v];
    if (producer.v != EVENT_NONE.v) sat_add_2(s->solver, sat_not(s->event[e]), s->event[producer.v]);
  }
}

/* One more consumer e of condition b: not beside those before it. After it, `consumed` is the disjunction of all of
 * them, by a chain of new variables (C. Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints", CP
 * 2005). */
static void add_consumer(Search *s, ConditionId b, SatLiteral e) {
  const SatLiteral before = s->consumed[b.v];
  s->consumed[b.v] = e;
  if (before.v == SAT_NONE.v) return;
  const SatLiteral any = s->consumed[b.v] = sat_add_variable(s->solver);
  sat_add_2(s->solver, sat_not(before), sat_not(e));
  sat_add_2(s->solver, sat_not(before), any);
  sat_add_2(s->solver, sat_not(e), any);
  sat_add_3(s->solver, sat_not(any), before, e);
}

static void add_conflicts(Search *s, uint32_t e) {
  const Prefix *prefix = s->prefix;
  if (prefix->is_cutoff[e]) return;
  for (uint32_t i = prefix->pre_start[e]; i < prefix->pre_start[e + 1]; i++)
    add_consumer(s, prefix->pre[i], s->event[e]);
}

static void forbid_enabled(Search *s, uint32_t e) {
  const Prefix *prefix = s->prefix;
  for (uint32_t i = prefix->pre_start[e]; i < prefix->pre_start[e + 1]; i++) {
    const ConditionId b = prefix->pre[i];
    const EventId producer = prefix->producer[b.v];
    if (producer.v != EVENT_NONE.v) sat_push(s->solver, sat_not(s->event[producer.v]));
    if (s->consumed[b.v].v != SAT_NONE.v) sat_push(s->solver, s->consumed[b.v]);
  }
  sat_end_clause(s->solver);
}

/* False if the time is up. The search is the faster for the variables of the events being together. */
static bool add_clauses(Search *s) {
  const uint32_t n = s->prefix->n_events;
  for (uint32_t e = 0; e < n && !limits_tick(&s->limits, 4); e++) add_event(s, e);
  for (uint32_t e = 0; e < n && !limits_tick(&s->limits, 4); e++) add_conflicts(s, e);
  if (s->options->formula)
    sat_add_1(s->solver, formula_sat(s->solver, s->heap, s->prefix, s->event, s->consumed, s->options->formula));
  else
    for (uint32_t e = 0; e < n && !limits_tick(&s->limits, 4); e++) forbid_enabled(s, e);
  return !s->limits.stopped;
}

/* ---- the model ---- */

static bool is_in_model(const Search *s, uint32_t e) {
  return s->event[e].v != SAT_NONE.v && sat_value(s->solver, s->event[e]);
}

static uint32_t model_size(const Search *s) {
  uint32_t n = 0;
  for (uint32_t e = 0; e < s->prefix->n_events; e++) n += is_in_model(s, e);
  return n;
}

/* Causes have smaller numbers. There is room: the models that are taken become smaller. */
static void take_model(Search *s) {
  s->found.n_run = 0;
  for (uint32_t e = 0; e < s->prefix->n_events; e++)
    if (is_in_model(s, e)) s->found.run[s->found.n_run++] = s->prefix->event_trans[e];
}

/* ---- a shorter one ---- */

/* The place whose tokens are wanted most: the fewer the classes, the shorter the sum. */
static void choose_classes(Search *s) {
  const Net *net = s->prefix->net;
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const PlaceList pre = net_pre(net, (TransId){t});
    PlaceId best = pre.at[0];
    for (uint32_t i = 1; i < pre.n; i++)
      if (net_consumers(net, pre.at[i]).n > net_consumers(net, best).n) best = pre.at[i];
    s->class[t] = best;
  }
}

static uint32_t class_of(const Search *s, uint32_t e) { return s->class[s->prefix->event_trans[e].v].v; }

static void see(Search *s, uint32_t e) {
  if (bitset_has(s->seen, e)) return;
  bitset_add(s->seen, e);
  vec_push(s->heap, &s->past, e);
}

/* How many events of e's class are in [e]. Leaves [e] in s->past. */
static uint32_t rank_of(Search *s, uint32_t e) {
  const Prefix *prefix = s->prefix;
  uint32_t rank = 0;
  vec_clear(&s->past);
  see(s, e);
  for (uint32_t i = 0; i < s->past.n; i++) {
    const uint32_t x = s->past.at[i];
    rank += class_of(s, x) == class_of(s, e);
    for (uint32_t k = prefix->pre_start[x]; k < prefix->pre_start[x + 1]; k++) {
      const EventId producer = prefix->producer[prefix->pre[k].v];
      if (producer.v != EVENT_NONE.v) see(s, producer.v);
    }
  }
  for (uint32_t i = 0; i < s->past.n; i++) bitset_remove(s->seen, s->past.at[i]);
  return rank;
}

/* The first event with k or more events in [e]: from there on all have. */
static uint32_t first_of_size(const Search *s, uint32_t k) {
  uint32_t low = 0, high = s->prefix->n_events;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (prefix_local_run(s->prefix, (EventId){middle}, NULL) < k) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* No event with as many events in [e] as were found. */
static void forbid_events(Search *s) {
  const uint32_t first = first_of_size(s, s->found.n_run);
  for (uint32_t e = first; e < s->end; e++)
    if (!s->prefix->is_cutoff[e]) sat_add_1(s->solver, sat_not(s->event[e]));
  s->end = first;
}

/* Makes numbers[0] the size of C. False if that is too much. */
static bool count_events(Search *s) {
  uint64_t steps = 0;
  choose_classes(s);
  for (uint32_t e = 0; e < s->end; e++) {
    if (s->prefix->is_cutoff[e]) continue;
    Unary *number = &s->numbers[class_of(s, e)];
    const uint32_t rank = rank_of(s, e);
    unary_extend(s->solver, s->heap, number, rank);
    sat_add_2(s->solver, sat_not(s->event[e]), number->at[rank - 1]);
    steps += s->past.n;
    if (steps > MAX_STEPS || limits_tick(&s->limits, s->past.n)) return false;
  }
  return unary_add_up(s->solver, s->heap, s->numbers, s->prefix->net->n_places, s->found.n_run, MAX_CLAUSES);
}

/* No sum as large as what was found. */
static void forbid_sum(Search *s) {
  const Unary *sum = &s->numbers[0];
  if (sum->n >= s->found.n_run) sat_add_1(s->solver, sat_not(sum->at[s->found.n_run - 1]));
}

static SatAnswer solve_again(Search *s) {
  const SatAnswer answer = solve(s);
  if (answer == SAT_YES && model_size(s) < s->found.n_run) take_model(s);
  return answer;
}

/* Where the local configurations prove that nothing is shorter, the sum is not needed. */
static void shorten(void *search) {
  Search *s = search;
  forbid_events(s);
  SatAnswer answer = solve_again(s);
  if (answer == SAT_YES && !count_events(s)) return;
  while (answer == SAT_YES) {
    const uint32_t before = s->found.n_run;
    forbid_events(s);
    forbid_sum(s);
    answer = solve_again(s);
    assert(answer != SAT_YES || s->found.n_run < before);
  }
  if (!s->decided) s->found.shortest = answer == SAT_NO;
}

/* ---- the search ---- */

/* Without a solver the explicit search goes on alone. */
static void do_without(Search *s, const Err *missing) {
  while (s->exploring && !s->decided && !s->limits.stopped) explore(s);
  if (!s->decided && !s->limits.stopped) snprintf(s->found.why, sizeof s->found.why, "%.159s", missing->text);
}

/* Asks the solver. False if memory ran out while it looked for a shorter run: then the solver is lost. */
static bool find_by_solver(Search *s) {
  Err missing;
  s->solver = sat_new(s->heap, &missing);
  if (!s->solver) return do_without(s, &missing), true;
  sat_set_stop(s->solver, is_stopped, s);
  const SatAnswer answer = add_clauses(s) ? solve(s) : SAT_UNKNOWN;
  if (s->decided) return true;
  s->found.answer = answer == SAT_YES ? DEADLOCK_FOUND : answer == SAT_NO ? DEADLOCK_NONE : DEADLOCK_UNKNOWN;
  if (answer != SAT_YES) return true;
  s->found.run = heap_alloc(s->heap, heap_product(s->heap, model_size(s), sizeof *s->found.run));
  take_model(s);
  s->found.shortest = s->found.n_run == 0;
  return s->found.shortest || s->options->any || heap_try(s->heap, shorten, s);
}

Deadlock deadlock_find(const Prefix *prefix, const DeadlockOptions *options) {
  Search s;
  assert(prefix->status == UNFOLD_COMPLETE);
  begin(&s, prefix, options);
  if (s.exploring) explore(&s);
  if (s.decided || find_by_solver(&s)) sat_free(s.solver);
  end(&s);
  return s.found;
}
