/* Markings are kept as hash-consed trees (marks.h), whose numbers are the order of discovery: so what is still to be
 * looked at is a range of numbers, and needs no queue.
 *
 * A transition is looked at where one place of its preset is marked, the one that has the fewest others to care for:
 * for a program that is a thread's control, and so only what that thread can do next is looked at. */
#include "unfold/states.h"

#include <assert.h>

/* What it is worth to look whether a marking is known: of the order of a tenth of a microsecond. */
enum { FINDING = 8 };

/* The place of the preset with the fewest consumers: few are looked at in vain. */
static uint32_t watched_place(const Net *net, uint32_t t) {
  const PlaceList pre = net_pre(net, (TransId){t});
  PlaceId best = pre.at[0];
  for (uint32_t i = 1; i < pre.n; i++)
    if (net_consumers(net, pre.at[i]).n < net_consumers(net, best).n) best = pre.at[i];
  return best.v;
}

static void make_watchers(States *states) {
  Heap *heap = states->heap;
  const Net *net = states->net;
  uint32_t *start = heap_zeroed(heap, heap_product(heap, (size_t)net->n_places + 2, sizeof *start));
  states->watch_start = start;
  states->watchers = heap_alloc(heap, heap_product(heap, net->n_trans, sizeof *states->watchers));
  for (uint32_t t = 0; t < net->n_trans; t++) start[watched_place(net, t) + 2]++;
  for (uint32_t p = 0; p < net->n_places; p++) start[p + 2] += start[p + 1];
  for (uint32_t t = 0; t < net->n_trans; t++) states->watchers[start[watched_place(net, t) + 1]++] = t;
}

void states_init(States *states, Heap *heap, const Net *net, Limits *limits, uint32_t most) {
  *states =
      (States){.heap = heap, .net = net, .limits = limits, .most = most, .via = TRANS_NONE, .unsafe_place = PLACE_NONE};
  assert(most > 0);
  effects_init(&states->effects, heap, net);
  marks_init(&states->marks, heap, net, &states->effects);
  make_watchers(states);
  vec_push(heap, &states->steps, ((StatesStep){UINT32_MAX, UINT32_MAX}));
}

void states_fini(States *states) {
  Heap *heap = states->heap;
  effects_fini(&states->effects);
  marks_fini(&states->marks);
  heap_release(heap, states->watch_start);
  heap_release(heap, states->watchers);
  vec_fini(heap, &states->steps);
  vec_fini(heap, &states->enabled);
}

/* ---- what is enabled ---- */

static bool is_enabled(const States *states, uint32_t trans) {
  const PlaceList pre = net_pre(states->net, (TransId){trans});
  for (uint32_t i = 0; i < pre.n; i++)
    if (!marks_has(&states->marks, pre.at[i].v)) return false;
  return true;
}

/* Returns how many were looked at. */
static uint32_t look_at_watchers(States *states, uint32_t place) {
  const uint32_t from = states->watch_start[place], to = states->watch_start[place + 1];
  for (uint32_t i = from; i < to; i++)
    if (is_enabled(states, states->watchers[i])) vec_push(states->heap, &states->enabled, states->watchers[i]);
  return to - from;
}

/* Fills `enabled` for the current marking. Returns the work. */
static uint64_t find_enabled(States *states) {
  const Marks *marks = &states->marks;
  const uint32_t n_words = states->net->n_places / 32 + 1;
  uint64_t work = n_words;
  vec_clear(&states->enabled);
  for (uint32_t w = 0; w < n_words; w++)
    for (uint32_t rest = marks->words[w] ^ marks->initial[w]; rest; rest &= rest - 1)
      work += look_at_watchers(states, 32 * w + (uint32_t)__builtin_ctz(rest));
  return work;
}

/* ---- the search ---- */

/* The place on which firing the transition in the current marking would put a second token, or PLACE_NONE. */
static PlaceId second_token(const States *states, uint32_t trans) {
  const Effects *effects = &states->effects;
  for (uint32_t i = effects->start[2 * trans + 1]; i < effects->start[2 * trans + 2]; i++)
    if (marks_has(&states->marks, effects->places[i])) return (PlaceId){effects->places[i]};
  return PLACE_NONE;
}

/* The marking after the transition, fired in the one at hand, is noted if it is new. */
static StatesStatus fire(States *states, uint32_t trans) {
  states->unsafe_place = second_token(states, trans);
  states->via.v = trans;
  if (states->unsafe_place.v != PLACE_NONE.v) return STATES_UNSAFE;
  marks_toggle(&states->marks, trans);
  const uint32_t number = marks_save(&states->marks);
  marks_load(&states->marks, states->at);
  if (number < states->steps.n) return STATES_MORE;
  if (states->steps.n == states->most) return STATES_FULL;
  vec_push(states->heap, &states->steps, ((StatesStep){states->at, trans}));
  return STATES_MORE;
}

/* Looks at the next marking. */
static StatesStatus expand(States *states, StatesGoal *goal, const void *argument, uint64_t *work) {
  states->at = states->next++;
  marks_load(&states->marks, states->at);
  *work += find_enabled(states);
  if (goal && goal(argument, states)) return STATES_FOUND;
  StatesStatus status = STATES_MORE;
  for (uint32_t i = 0; i < states->enabled.n && status == STATES_MORE; i++) {
    const uint32_t t = states->enabled.at[i], *effects = states->effects.start + 2 * t;
    *work += effects[2] - effects[0] + FINDING;
    status = fire(states, t);
  }
  return status;
}

StatesStatus states_explore(States *states, StatesGoal *goal, const void *argument, uint64_t work) {
  StatesStatus status = STATES_MORE;
  for (uint64_t done = 0; status == STATES_MORE && done < work;) {
    const uint64_t before = done;
    if (states->next == states->steps.n) return STATES_ALL;
    status = expand(states, goal, argument, &done);
    const uint64_t amount = (done - before) / 64 + 1;
    if (status == STATES_MORE && limits_tick(states->limits, amount > LIMITS_TICKS ? LIMITS_TICKS : (uint32_t)amount))
      return STATES_STOPPED;
  }
  return status;
}

uint32_t states_run(const States *states, uint32_t marking, TransId *run) {
  uint32_t length = 0;
  for (uint32_t m = marking; m; m = states->steps.at[m].parent) length++;
  if (run)
    for (uint32_t m = marking, i = length; m; m = states->steps.at[m].parent) run[--i].v = states->steps.at[m].trans;
  return length;
}

bool states_is_dead(const void *unused, const States *states) {
  (void)unused;
  return states->enabled.n == 0;
}

void states_formula_init(StatesFormula *goal, Heap *heap, const Formula *formula) {
  *goal = (StatesFormula){formula, heap_alloc(heap, formula->parts.n)};
}

void states_formula_fini(StatesFormula *goal, Heap *heap) { heap_release(heap, goal->values); }

static bool is_marked(const void *marks, PlaceId place) { return marks_has(marks, place.v); }

bool states_satisfy(const void *goal, const States *states) {
  const StatesFormula *g = goal;
  return formula_holds(g->formula, is_marked, &states->marks, g->values);
}
