#include "frontend/sml/held.h"

typedef struct {
  uint64_t must, may;
} HeldSet;

typedef struct {
  const Exploration *x;
  const Flow *flow;
  const Automaton *a;
  U32Vec locks;       /* that the thread acquires or releases */
  uint32_t *bit_of;   /* per global: its place in `locks` + 1, or 0 */
  uint32_t *edges_of; /* states + 1: the edges of s are edges_of[s] .. */
  HeldSet *sets;      /* per state, for the locks of the batch under way */
  bool *queued;       /* per state */
  U32Vec queue;
} Analysis;

static const Stmt *lock_stmt(const Analysis *h, uint32_t state) {
  const Op *op = &h->flow->ops.at[h->a->states.at[state].op];
  return op->kind == OP_ACQUIRE || op->kind == OP_RELEASE ? ast_stmt(h->x->ast, op->stmt) : NULL;
}

static uint32_t lock_of(const Analysis *h, const Stmt *s) { return h->x->symbols->global_of.at[s->name.v]; }

static void find_locks(Analysis *h) {
  for (uint32_t i = 0; i < h->a->states.n; i++) {
    const Stmt *s = lock_stmt(h, i);
    if (!s || h->bit_of[lock_of(h, s)]) continue;
    vec_push(h->a->heap, &h->locks, lock_of(h, s));
    h->bit_of[lock_of(h, s)] = h->locks.n;
  }
}

static void find_edges(Analysis *h) {
  for (uint32_t i = 0; i < h->a->edges.n; i++) h->edges_of[h->a->edges.at[i].from + 1]++;
  for (uint32_t s = 0; s < h->a->states.n; s++) h->edges_of[s + 1] += h->edges_of[s];
}

/* The lock's bit in the batch that starts at lock number `first`; 0 if it is in another one. */
static uint64_t bit_in_batch(const Analysis *h, const Stmt *s, uint32_t first) {
  const uint32_t number = h->bit_of[lock_of(h, s)] - 1;
  return number >= first && number < first + 64 ? (uint64_t)1 << (number - first) : 0;
}

static HeldSet after(const Analysis *h, uint32_t state, uint32_t first) {
  HeldSet set = h->sets[state];
  const Stmt *s = lock_stmt(h, state);
  const uint64_t bit = s ? bit_in_batch(h, s, first) : 0;
  if (s && s->kind == AST_ACQUIRE) return (HeldSet){set.must | bit, set.may | bit};
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
    const HeldSet out = after(h, state, first);
    for (uint32_t e = h->edges_of[state]; e < h->edges_of[state + 1]; e++) {
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

static void warn(const Analysis *h, const Stmt *s, bool *warned, const char *option, const char *format) {
  const size_t number = (size_t)(s - h->x->ast->stmts.at);
  if (warned[number]) return;
  warned[number] = true;
  Diag *diag = h->x->diag;
  diag_add(diag, DIAG_WARNING, option, s->span.at, s->span.length, format, ast_name(h->x->ast, s->name, &diag->arena));
}

static void judge_batch(const Analysis *h, uint32_t first, bool *needs_place, bool *warned) {
  for (uint32_t i = 0; i < h->a->states.n; i++) {
    const Stmt *s = lock_stmt(h, i);
    const uint64_t bit = s ? bit_in_batch(h, s, first) : 0;
    if (s && s->kind == AST_RELEASE && (bit & ~h->sets[i].must)) {
      needs_place[lock_of(h, s)] = true;
      warn(h, s, warned, "unheld-release", "lock '%s' may not be held here; the thread would then stop here for good");
    }
    if (s && s->kind == AST_ACQUIRE && (bit & h->sets[i].may))
      warn(h, s, warned, "held-acquire",
           "lock '%s' may be held here already; the thread would then wait for itself for good");
  }
}

void held_analyse(const Exploration *x, const Flow *flow, const Automaton *a, bool *needs_place, bool *warned) {
  Heap *heap = a->heap;
  Analysis analysis = {.x = x, .flow = flow, .a = a}, *h = &analysis;
  h->bit_of = heap_zeroed(heap, x->ast->globals.n * sizeof *h->bit_of);
  find_locks(h);
  if (h->locks.n) {
    h->edges_of = heap_zeroed(heap, ((size_t)a->states.n + 1) * sizeof *h->edges_of);
    h->sets = heap_alloc(heap, a->states.n * sizeof *h->sets);
    h->queued = heap_zeroed(heap, a->states.n);
    find_edges(h);
  }
  for (uint32_t first = 0; first < h->locks.n; first += 64) {
    flow_batch(h, first);
    judge_batch(h, first, needs_place, warned);
  }
  vec_fini(heap, &h->locks);
  vec_fini(heap, &h->queue);
  heap_release(heap, h->bit_of);
  heap_release(heap, h->edges_of);
  heap_release(heap, h->sets);
  heap_release(heap, h->queued);
}
