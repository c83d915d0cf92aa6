#include "program/held.h"

typedef struct {
  uint64_t must, may;
} HeldSet;

typedef struct {
  const Program *program;
  const Flow *flow;
  const Automaton *a;
  NoticeVec *notices;
  U32Vec locks;       /* that the thread acquires or releases */
  uint32_t *bit_of;   /* per object: its place in `locks` + 1, or 0 */
  uint32_t *edges_of; /* automaton_edges_of() */
  HeldSet *sets;      /* per state, for the locks of the batch under way */
  bool *queued;       /* per state */
  U32Vec queue;
} Analysis;

/* The lock operation that the edge is, or NULL. */
static const ProgramOp *lock_op(const Analysis *h, const Edge *edge) {
  const ProgramOp *op = flow_source(h->flow, h->program, edge->op);
  return op->kind == OP_ACQUIRE || op->kind == OP_RELEASE ? op : NULL;
}

static void find_locks(Analysis *h) {
  for (uint32_t i = 0; i < h->a->edges.n; i++) {
    const ProgramOp *op = lock_op(h, &h->a->edges.at[i]);
    if (!op || h->bit_of[op->number]) continue;
    vec_push(h->a->heap, &h->locks, op->number);
    h->bit_of[op->number] = h->locks.n;
  }
}

/* The lock's bit in the batch that starts at lock number `first`; 0 if it is in another one. */
static uint64_t bit_in_batch(const Analysis *h, const ProgramOp *op, uint32_t first) {
  const uint32_t number = h->bit_of[op->number] - 1;
  return number >= first && number < first + 64 ? (uint64_t)1 << (number - first) : 0;
}

static HeldSet after(const Analysis *h, const Edge *edge, uint32_t first) {
  const HeldSet set = h->sets[edge->from];
  const ProgramOp *op = lock_op(h, edge);
  const uint64_t bit = op ? bit_in_batch(h, op, first) : 0;
  if (op && op->kind == OP_ACQUIRE) return (HeldSet){set.must | bit, set.may | bit};
  return (HeldSet){set.must & ~bit, set.may & ~bit};
}

static void enqueue(Analysis *h, uint32_t state) {
  if (!h->queued[state]) vec_push(h->a->heap, &h->queue, state);
  h->queued[state] = true;
}

/* The least fixed point for one batch. The queue is a stack; a state's set changes at most 128 times. */
static void flow_batch(Analysis *h, uint32_t first) {
  for (uint32_t i = 0; i < h->a->states.n; i++) h->sets[i] = (HeldSet){UINT64_MAX, 0};
  h->sets[0].must = 0;
  enqueue(h, 0);
  bool *seen = heap_zeroed(h->a->heap, h->a->states.n);
  seen[0] = true;
  while (h->queue.n) {
    const uint32_t state = h->queue.at[--h->queue.n];
    h->queued[state] = false;
    for (uint32_t e = h->edges_of[state]; e < h->edges_of[state + 1]; e++) {
      const HeldSet out = after(h, &h->a->edges.at[e], first);
      const uint32_t to = h->a->edges.at[e].to;
      const HeldSet joined = {h->sets[to].must & out.must, h->sets[to].may | out.may};
      if (seen[to] && joined.must == h->sets[to].must && joined.may == h->sets[to].may) continue;
      seen[to] = true;
      h->sets[to] = joined;
      enqueue(h, to);
    }
  }
  heap_release(h->a->heap, seen);
}

static void warn(Analysis *h, const ProgramOp *op, bool *warned, NoticeKind kind) {
  const uint32_t number = (uint32_t)(op - h->program->ops.at);
  if (!warned[number]) vec_push(h->a->heap, h->notices, ((Notice){.kind = kind, .number = number}));
  warned[number] = true;
}

static void judge_batch(Analysis *h, uint32_t first, bool *needs_place, bool *holds, bool *warned) {
  for (uint32_t i = 0; i < h->a->states.n; i++) holds[i] |= h->sets[i].must != 0;
  for (uint32_t i = 0; i < h->a->edges.n; i++) {
    const Edge *edge = &h->a->edges.at[i];
    const HeldSet set = h->sets[edge->from];
    const ProgramOp *op = lock_op(h, edge);
    const uint64_t bit = op ? bit_in_batch(h, op, first) : 0;
    if (op && op->kind == OP_RELEASE && (bit & ~set.must)) {
      needs_place[op->number] = true;
      warn(h, op, warned, NOTICE_UNHELD);
    }
    if (op && op->kind == OP_ACQUIRE && (bit & set.may)) warn(h, op, warned, NOTICE_HELD);
  }
}

void held_analyse(const Program *program, const Flow *flow, const Automaton *a, bool *needs_place, bool *holds,
                  bool *warned, NoticeVec *notices) {
  Heap *heap = a->heap;
  Analysis analysis = {.program = program, .flow = flow, .a = a, .notices = notices}, *h = &analysis;
  h->bit_of = heap_zeroed(heap, heap_product(heap, program->objects.n, sizeof *h->bit_of));
  find_locks(h);
  if (h->locks.n) {
    h->edges_of = automaton_edges_of(a);
    h->sets = heap_alloc(heap, heap_product(heap, a->states.n, sizeof *h->sets));
    h->queued = heap_zeroed(heap, a->states.n);
  }
  for (uint32_t first = 0; first < h->locks.n; first += 64) {
    flow_batch(h, first);
    judge_batch(h, first, needs_place, holds, warned);
  }
  vec_fini(heap, &h->locks);
  vec_fini(heap, &h->queue);
  heap_release(heap, h->bit_of);
  heap_release(heap, h->edges_of);
  heap_release(heap, h->sets);
  heap_release(heap, h->queued);
}
