#include "tests/unit/sml_graph.h"

#include "base/hash.h"
#include "base/slots.h"

#include <string.h>

/* ---- the graph ---- */

static uint32_t find_state(SmlGraph *g, HashSlots *slots, const MachineState *state, uint32_t max_states) {
  const uint32_t hash = (uint32_t)hash_bytes(state, sizeof *state);
  for (uint32_t i = hash;; i++) {
    HashSlot *slot = slots_at(slots, i);
    if (slot->number && slot->hash == hash && !memcmp(&g->states.at[slot->number - 1], state, sizeof *state))
      return slot->number - 1;
    if (slot->number) continue;
    if (g->states.n == max_states) break;
    vec_push(g->heap, &g->states, *state);
    *slot = (HashSlot){hash, g->states.n};
    if (g->states.n * 2 > slots->n) slots_grow(g->heap, slots);
    return g->states.n - 1;
  }
  g->full = true;
  return UINT32_MAX;
}

void sml_graph_build(SmlGraph *g, Heap *heap, const Machine *machine, uint32_t thread, uint32_t max_states) {
  HashSlots slots = {0};
  MachineState start;
  MachineSteps *steps = heap_alloc(heap, sizeof *steps);
  *g = (SmlGraph){.heap = heap};
  slots_grow(heap, &slots);
  machine_start(machine, thread, &start);
  find_state(g, &slots, &start, max_states);
  for (uint32_t i = 0; i < g->states.n; i++) {
    const MachineState state = g->states.at[i];
    vec_push(heap, &g->first_edge, g->edges.n);
    machine_steps(machine, &state, steps);
    for (uint32_t k = 0; k < steps->n; k++) {
      const uint32_t to = find_state(g, &slots, &steps->steps[k].then, max_states);
      if (to != UINT32_MAX) vec_push(heap, &g->edges, ((GraphEdge){i, to, steps->steps[k]}));
    }
  }
  vec_push(heap, &g->first_edge, g->edges.n);
  slots_fini(heap, &slots);
  heap_release(heap, steps);
}

void sml_graph_fini(SmlGraph *g) {
  vec_fini(g->heap, &g->states);
  vec_fini(g->heap, &g->edges);
  vec_fini(g->heap, &g->first_edge);
}

/* ---- profiles ---- */

static uint32_t mask_of(const MachineStep *step) {
  uint32_t mask = 0;
  for (uint32_t i = 0; i < step->n; i++) mask |= 1u << step->accesses[i];
  return mask;
}

/* What can still come from each state: at all, and in the transaction that is open there. */
static void find_later(const SmlGraph *g, uint32_t *after, uint32_t *same) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = g->edges.n; i-- > 0;) {
      const GraphEdge *e = &g->edges.at[i];
      const uint32_t mask = mask_of(&e->step);
      const uint32_t new_after = after[e->from] | mask | after[e->to];
      const uint32_t new_same = machine_blocks(&g->states.at[e->from]) ? same[e->from] | mask | same[e->to] : 0;
      changed |= new_after != after[e->from] || new_same != same[e->from];
      after[e->from] = new_after;
      same[e->from] = new_same;
    }
  }
}

/* With access number i of the edge first. */
static void add_profiles(const GraphEdge *e, uint32_t i, uint32_t after, uint32_t same, GraphProfiles *p) {
  const uint32_t x = e->step.accesses[i];
  uint32_t later = same;
  p->made |= 1u << x;
  for (uint32_t k = i; k < e->step.n; k++) later |= 1u << e->step.accesses[k];
  p->before[x] |= after | later;
  p->split[x] |= same;
  for (uint32_t y = 0; y < GRAPH_ACCESSES; y++)
    if (later >> y & 1) p->before[y] |= 1u << x;
}

void sml_graph_profiles(const SmlGraph *g, GraphProfiles *p) {
  uint32_t *after = heap_zeroed(g->heap, g->states.n * sizeof *after),
           *same = heap_zeroed(g->heap, g->states.n * sizeof *same);
  *p = (GraphProfiles){0};
  find_later(g, after, same);
  for (uint32_t k = 0; k < g->edges.n; k++) {
    const GraphEdge *e = &g->edges.at[k];
    const bool open = machine_blocks(&g->states.at[e->from]) > 0;
    for (uint32_t i = 0; i < e->step.n; i++) add_profiles(e, i, after[e->to], open ? same[e->to] : 0, p);
  }
  heap_release(g->heap, after);
  heap_release(g->heap, same);
}

/* ---- distances ---- */

/* NEITHER is made, x is made in the event under way, x is made, both are. */
enum { NEITHER = 1, NOW = 2, EARLIER = 4, BOTH = 8 };

typedef struct {
  uint32_t x, y;
  bool same, split;
} Pair;

static uint32_t after_access(const Pair *pair, uint32_t stage, uint32_t access) {
  uint32_t stages = stage;
  if (stage == NEITHER && access == pair->x) stages |= !pair->same && pair->x == pair->y ? BOTH : NOW;
  if (((stage == NOW && !pair->split) || stage == EARLIER) && access == pair->y) stages |= BOTH;
  return stages;
}

/* The stages that there can be behind the step, if it is this one before. */
static uint32_t after_step(const Pair *pair, const MachineStep *step, uint32_t blocks, uint32_t stage) {
  uint32_t stages = stage, last;
  for (uint32_t i = 0; i < step->n; i++) {
    last = stages;
    for (uint32_t one = NEITHER; one <= BOTH; one *= 2)
      if (last & one) stages |= after_access(pair, one, step->accesses[i]);
  }
  if (stages & NOW) stages = (stages & ~(uint32_t)NOW) | (pair->same && !blocks ? 0 : EARLIER);
  if (pair->same && step->op == MACHINE_END && blocks == 1) stages &= ~(uint32_t)EARLIER;
  return stages;
}

uint32_t sml_graph_distance(const SmlGraph *g, uint32_t x, uint32_t y, bool same, bool split) {
  const Pair pair = {x, y, same, split};
  uint8_t *now = heap_zeroed(g->heap, g->states.n), *next = heap_zeroed(g->heap, g->states.n);
  uint32_t distance = 0, result = UINT32_MAX;
  now[0] = NEITHER;
  for (bool changed = true; changed && result == UINT32_MAX; distance++) {
    changed = false;
    memcpy(next, now, g->states.n);
    for (uint32_t i = 0; i < g->edges.n; i++) {
      const GraphEdge *e = &g->edges.at[i];
      const uint32_t blocks = machine_blocks(&g->states.at[e->from]);
      for (uint32_t one = NEITHER; one <= EARLIER; one *= 2)
        if (now[e->from] & one) next[e->to] |= (uint8_t)after_step(&pair, &e->step, blocks, one);
    }
    for (uint32_t i = 0; i < g->states.n; i++) {
      changed |= now[i] != next[i];
      if (next[i] & BOTH) result = distance + 1;
      now[i] = next[i];
    }
  }
  heap_release(g->heap, now);
  heap_release(g->heap, next);
  return result;
}

/* ---- cycles ---- */

static bool conflict(uint32_t x, uint32_t y) { return x / 2 == y / 2 && ((x | y) & 1); }

/* Can the way go on from `out`, through threads that are not used, to `in` of the first one? */
static bool closes(const GraphProfiles *const *threads, uint32_t n, uint32_t used, uint32_t out, uint32_t in) {
  for (uint32_t t = 0; t < n; t++)
    for (uint32_t x = 0; x < GRAPH_ACCESSES && !(used >> t & 1); x++)
      for (uint32_t y = 0; conflict(out, x) && y < GRAPH_ACCESSES; y++)
        if ((threads[t]->before[x] >> y & 1) && (conflict(y, in) || closes(threads, n, used | 1u << t, y, in)))
          return true;
  return false;
}

bool sml_graph_cycle(const GraphProfiles *const *threads, uint32_t n) {
  for (uint32_t t = 0; t < n; t++)
    for (uint32_t y = 0; y < GRAPH_ACCESSES; y++)
      for (uint32_t x = 0; x < GRAPH_ACCESSES; x++)
        if ((threads[t]->split[y] >> x & 1) && closes(threads, n, 1u << t, y, x)) return true;
  return false;
}

/* ---- interleavings ---- */

enum { MAX_EVENTS = 10, MAX_THREADS = 8, MAX_SILENT = 8 };

typedef struct {
  const SmlGraph *const *threads;
  uint32_t n, budget;
  uint32_t state[MAX_THREADS], last[MAX_THREADS]; /* last: 1 + the transaction of the last event, or 0 */
  uint32_t n_transactions, n_events;
  uint32_t masks[MAX_EVENTS], transaction[MAX_EVENTS]; /* per event */
  uint32_t later[MAX_EVENTS];                          /* per transaction: those that must come after it */
} Search;

static bool masks_conflict(uint32_t a, uint32_t b) {
  const uint32_t objects = (a | a >> 1) & (b | b >> 1) & 0x55555555u;
  return objects & ((a | b) >> 1);
}

static bool on_cycle(const Search *s, uint32_t transaction) {
  uint32_t reached = s->later[transaction], before = 0;
  while (reached != before) {
    before = reached;
    for (uint32_t i = 0; i < s->n_transactions; i++)
      if (before >> i & 1) reached |= s->later[i];
  }
  return reached >> transaction & 1;
}

static bool try_threads(Search *s, uint32_t left);

static bool do_event(Search *s, uint32_t thread, const GraphEdge *e, bool fresh, uint32_t left) {
  const Search saved = *s;
  const uint32_t mask = mask_of(&e->step), last = s->last[thread];
  const uint32_t transaction = fresh || !last ? s->n_transactions++ : last - 1;
  if (transaction == saved.n_transactions) s->later[transaction] = 0;
  if (last && last - 1 != transaction) s->later[last - 1] |= 1u << transaction;
  for (uint32_t i = 0; i < s->n_events; i++)
    if (s->transaction[i] != transaction && masks_conflict(s->masks[i], mask))
      s->later[s->transaction[i]] |= 1u << transaction;
  s->masks[s->n_events] = mask;
  s->transaction[s->n_events++] = transaction;
  s->last[thread] = transaction + 1;
  s->state[thread] = e->to;
  if (on_cycle(s, transaction) || try_threads(s, left - 1)) return true;
  const uint32_t budget = s->budget;
  *s = saved;
  s->budget = budget;
  return false;
}

/* The thread goes on, from a state of its own, up to its next event with an access. */
static bool go_on(Search *s, uint32_t thread, uint32_t state, bool fresh, uint32_t silent, uint32_t left) {
  const SmlGraph *g = s->threads[thread];
  for (uint32_t i = g->first_edge.at[state]; i < g->first_edge.at[state + 1]; i++) {
    const GraphEdge *e = &g->edges.at[i];
    const bool outside = !machine_blocks(&g->states.at[state]);
    if (!s->budget) return false;
    s->budget--;
    if (e->step.n ? do_event(s, thread, e, fresh || outside, left)
                  : silent < MAX_SILENT && go_on(s, thread, e->to, fresh || outside, silent + 1, left))
      return true;
  }
  return false;
}

static bool try_threads(Search *s, uint32_t left) {
  for (uint32_t t = 0; t < s->n && left; t++)
    if (go_on(s, t, s->state[t], false, 0, left)) return true;
  return false;
}

bool sml_graph_search(const SmlGraph *const *threads, uint32_t n, uint32_t budget) {
  Search search = {.threads = threads, .n = n, .budget = budget};
  for (uint32_t events = 2; events <= MAX_EVENTS && search.budget; events++)
    if (try_threads(&search, events)) return true;
  return false;
}
