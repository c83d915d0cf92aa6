#include "check/conflict.h"

#include "base/vec.h"
#include "check/replay.h"

#include <string.h>

#define NONE UINT32_MAX

typedef struct {
  Heap *heap;
  const Net *net;
  const bool *blocks;
  const TransId *run;
  uint32_t n_run;
  uint32_t *of; /* per step: its transaction */
  VEC(ConflictTransaction) transactions;
  ConflictEdge *edges; /* of transactions a, b: edges[a * n + b], from == NONE: there is none */
} Judge;

static const TransNote *note_of(const Judge *judge, uint32_t step) {
  return &judge->net->notes->transitions[judge->run[step].v];
}

static uint32_t chosen(const Judge *judge, uint32_t block) {
  return block == NOTE_NONE || !judge->blocks || judge->blocks[block] ? block : NOTE_NONE;
}

/* ---- transactions ---- */

/* `open` is per thread: its transaction of a block that has not ended, or NONE. */
static void assign_step(Judge *judge, uint32_t step, uint32_t *open) {
  const TransNote *note = note_of(judge, step);
  const uint32_t begin = chosen(judge, note->begin), end = chosen(judge, note->end);
  uint32_t nowhere = NONE, *const at = note->thread == NOTE_NONE ? &nowhere : &open[note->thread];
  if (*at == NONE) {
    vec_push(judge->heap, &judge->transactions, ((ConflictTransaction){note->thread, begin, step, step}));
    judge->of[step] = judge->transactions.n - 1;
    if (begin != NOTE_NONE) *at = judge->of[step];
  } else {
    judge->of[step] = *at;
  }
  if (*at == NONE) return;
  ConflictTransaction *transaction = &judge->transactions.at[*at];
  transaction->last = step;
  if (end != NOTE_NONE && end == transaction->block) *at = NONE;
}

static void assign_steps(Judge *judge) {
  const uint32_t n_threads = judge->net->notes->n_threads;
  uint32_t *open = heap_alloc(judge->heap, heap_product(judge->heap, n_threads, sizeof *open));
  for (uint32_t t = 0; t < n_threads; t++) open[t] = NONE;
  for (uint32_t i = 0; i < judge->n_run; i++) assign_step(judge, i, open);
  heap_release(judge->heap, open);
}

/* ---- edges ---- */

/* A variable that both steps access and one of them writes, or NOTE_NONE. */
static uint32_t conflict(const Judge *judge, uint32_t a, uint32_t b) {
  const Notes *notes = judge->net->notes;
  const AccessList x = notes_accesses(notes, judge->run[a].v), y = notes_accesses(notes, judge->run[b].v);
  for (uint32_t i = 0; i < x.n; i++)
    for (uint32_t k = 0; k < y.n; k++) {
      const bool changed = access_changes(x.at[i].mode) || access_changes(y.at[k].mode);
      const uint32_t object = x.at[i].object;
      if (object == y.at[k].object && changed && notes->objects[object].kind == OBJECT_VARIABLE) return object;
    }
  return NOTE_NONE;
}

static void find_edges(Judge *judge) {
  const uint32_t n = judge->transactions.n;
  judge->edges = heap_alloc(judge->heap, heap_product(judge->heap, (size_t)n * n, sizeof *judge->edges));
  for (size_t i = 0; i < (size_t)n * n; i++) judge->edges[i].from = NONE;
  for (uint32_t a = 0; a < judge->n_run; a++)
    for (uint32_t b = a + 1; b < judge->n_run; b++) {
      ConflictEdge *edge = &judge->edges[(size_t)judge->of[a] * n + judge->of[b]];
      if (judge->of[a] == judge->of[b] || edge->from != NONE) continue;
      const uint32_t object = conflict(judge, a, b), thread = note_of(judge, a)->thread;
      const bool one_thread = thread != NOTE_NONE && thread == note_of(judge, b)->thread;
      if (one_thread || object != NOTE_NONE) *edge = (ConflictEdge){a, b, one_thread ? NOTE_NONE : object};
    }
}

/* ---- cycles ---- */

/* The length of a shortest cycle through the transaction, breadth first; 0: there is none. before[i] is where i was met
 * from. */
static uint32_t cycle_through(const Judge *judge, uint32_t from, uint32_t *before, uint32_t *queue) {
  const uint32_t n = judge->transactions.n;
  uint32_t n_queue = 0;
  for (uint32_t i = 0; i < n; i++) before[i] = NONE;
  queue[n_queue++] = from;
  for (uint32_t at = 0; at < n_queue && before[from] == NONE; at++)
    for (uint32_t i = 0; i < n; i++) {
      if (before[i] != NONE || judge->edges[(size_t)queue[at] * n + i].from == NONE) continue;
      before[i] = queue[at];
      if (i != from) queue[n_queue++] = i;
    }
  if (before[from] == NONE) return 0;
  uint32_t length = 1;
  for (uint32_t i = before[from]; i != from; i = before[i]) length++;
  return length;
}

static void take_cycle(const Judge *judge, uint32_t from, const uint32_t *before, uint32_t length,
                       ConflictCycle *cycle) {
  Heap *heap = judge->heap;
  const uint32_t n = judge->transactions.n;
  *cycle = (ConflictCycle){.heap = heap, .n_run = judge->n_run, .n = length};
  cycle->run = heap_alloc(heap, heap_product(heap, judge->n_run, sizeof *cycle->run));
  memcpy(cycle->run, judge->run, judge->n_run * sizeof *cycle->run);
  cycle->transactions = heap_alloc(heap, heap_product(heap, length, sizeof *cycle->transactions));
  cycle->edges = heap_alloc(heap, heap_product(heap, length, sizeof *cycle->edges));
  for (uint32_t i = length, to = from; i-- > 0; to = before[to]) {
    cycle->edges[i] = judge->edges[(size_t)before[to] * n + to];
    cycle->transactions[i] = judge->transactions.at[before[to]];
  }
}

/* A single step cannot be on a cycle without a block: so it is enough to look from those of blocks. */
static bool find_cycle(const Judge *judge, ConflictCycle *cycle) {
  const uint32_t n = judge->transactions.n;
  uint32_t *before = heap_alloc(judge->heap, heap_product(judge->heap, n, sizeof *before));
  uint32_t *queue = heap_alloc(judge->heap, heap_product(judge->heap, n, sizeof *queue));
  uint32_t best = NONE, best_length = NONE;
  for (uint32_t i = 0; i < n; i++) {
    if (judge->transactions.at[i].block == NOTE_NONE) continue;
    const uint32_t length = cycle_through(judge, i, before, queue);
    if (length && length < best_length) best = i, best_length = length;
  }
  if (best != NONE) {
    cycle_through(judge, best, before, queue);
    take_cycle(judge, best, before, best_length, cycle);
  }
  heap_release(judge->heap, before);
  heap_release(judge->heap, queue);
  return best != NONE;
}

bool conflict_judge(Heap *heap, const Net *net, const bool *blocks, const TransId *run, uint32_t n_run,
                    ConflictCycle *cycle, Err *err) {
  Judge judge = {.heap = heap, .net = net, .blocks = blocks, .run = run, .n_run = n_run};
  Replay replay;
  if (!replay_run(heap, net, run, n_run, &replay, err)) return false;
  replay_fini(&replay);
  judge.of = heap_alloc(heap, heap_product(heap, n_run, sizeof *judge.of));
  assign_steps(&judge);
  find_edges(&judge);
  const bool found = find_cycle(&judge, cycle);
  heap_release(heap, judge.of);
  heap_release(heap, judge.edges);
  vec_fini(heap, &judge.transactions);
  return found || err_set(err, ERR_CHECK, "a run of %u steps is serializable", n_run);
}

void conflict_cycle_fini(ConflictCycle *cycle) {
  heap_release(cycle->heap, cycle->run);
  heap_release(cycle->heap, cycle->transactions);
  heap_release(cycle->heap, cycle->edges);
  *cycle = (ConflictCycle){.heap = cycle->heap};
}
