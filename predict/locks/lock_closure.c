/* The numbers are raised from right to left. A raise at a step holds for all steps after it: those that are still to
 * come in the pass find it in a heap, the others in the next pass. */
#include "predict/locks/lock_closure.h"

#include "base/sort.h"
#include "predict/pairs.h"

#include <assert.h>

#define NONE UINT32_MAX

/* So many steps of B come before A's steps, from `step` on. */
typedef struct {
  uint32_t count, step;
} Raise;

struct LockClosure {
  const LockRun *run;
  uint32_t **partner;   /* of each thread and step: of an acquire its release, or NONE, and the other way round */
  Pairs locks;          /* (thread, lock) */
  VEC(U32Vec) acquires; /* of each of these: ascending */
  U32Vec least;         /* of A's steps from `low` on: of B's steps, how many come before */
  VEC(Raise) raises;    /* a heap, the greatest count first */
  LockDemand demand;
  uint32_t low; /* of earlier steps of A nothing is asked */
  bool changed;
};

/* ---- sections ---- */

static U32Vec *acquires_of(LockClosure *closure, uint32_t thread, uint32_t lock) {
  const uint32_t number = pairs_add(closure->run->heap, &closure->locks, thread, lock);
  if (number == closure->acquires.n) vec_push(closure->run->heap, &closure->acquires, ((U32Vec){0}));
  return &closure->acquires.at[number];
}

static void find_sections(LockClosure *closure, uint32_t t) {
  const LockThread *thread = &closure->run->threads[t];
  uint32_t *partner = heap_alloc(closure->run->heap, heap_product(closure->run->heap, thread->n, sizeof *partner));
  closure->partner[t] = partner;
  for (uint32_t p = 0; p < thread->n; p++) {
    const LockStep *step = &thread->steps[p];
    partner[p] = NONE;
    if (step->op == STEP_ACQUIRE) vec_push(closure->run->heap, acquires_of(closure, t, step->object), p);
    if (step->op != STEP_RELEASE) continue;
    const uint32_t acquire = vec_last(acquires_of(closure, t, step->object));
    partner[p] = acquire;
    partner[acquire] = p;
  }
}

LockClosure *lock_closure_new(const LockRun *run) {
  LockClosure *closure = heap_zeroed(run->heap, sizeof *closure);
  closure->run = run;
  closure->partner = heap_zeroed(run->heap, heap_product(run->heap, run->n_threads, sizeof *closure->partner));
  for (uint32_t t = 0; t < run->n_threads; t++) find_sections(closure, t);
  return closure;
}

void lock_closure_free(LockClosure *closure) {
  if (!closure) return;
  Heap *heap = closure->run->heap;
  for (uint32_t t = 0; t < closure->run->n_threads; t++) heap_release(heap, closure->partner[t]);
  for (uint32_t i = 0; i < closure->acquires.n; i++) vec_fini(heap, &closure->acquires.at[i]);
  heap_release(heap, closure->partner);
  pairs_fini(heap, &closure->locks);
  vec_fini(heap, &closure->acquires);
  vec_fini(heap, &closure->least);
  vec_fini(heap, &closure->raises);
  heap_release(heap, closure);
}

/* The last acquire of the lock by the thread before that step, or NONE. */
static uint32_t last_acquire(const LockClosure *closure, uint32_t thread, uint32_t lock, uint32_t step) {
  uint32_t number;
  if (!pairs_find(&closure->locks, thread, lock, &number)) return NONE;
  const U32Vec *list = &closure->acquires.at[number];
  const uint32_t n = sort_count_below(list->at, list->n, step);
  return n ? list->at[n - 1] : NONE;
}

const LockRun *lock_closure_run(const LockClosure *closure) { return closure->run; }

uint32_t lock_closure_partner(const LockClosure *closure, uint32_t thread, uint32_t step) {
  return closure->partner[thread][step];
}

bool lock_closure_last(const LockClosure *closure, uint32_t thread, uint32_t lock, uint32_t step,
                       LockSection *section) {
  const uint32_t acquire = last_acquire(closure, thread, lock, step);
  if (acquire == NONE) return false;
  *section = (LockSection){acquire, closure->partner[thread][acquire]};
  return true;
}

bool lock_closure_section(const LockClosure *closure, uint32_t thread, uint32_t lock, uint32_t step,
                          LockSection *section) {
  uint32_t number;
  if (!pairs_find(&closure->locks, thread, lock, &number)) return false;
  const U32Vec *list = &closure->acquires.at[number];
  uint32_t n = sort_count_below(list->at, list->n, step);
  if (n && closure->partner[thread][list->at[n - 1]] >= step) n--;
  if (n == list->n) return false;
  *section = (LockSection){list->at[n], closure->partner[thread][list->at[n]]};
  return true;
}

/* Of one part of it: the last section of b that began before must have ended before the acquire. */
static uint32_t need_of(const LockClosure *closure, uint32_t b, uint32_t count, uint32_t part) {
  const uint32_t other = last_acquire(closure, b, part, count);
  if (other == NONE) return 0;
  const uint32_t release = closure->partner[b][other];
  return release == NONE ? NONE : release + 1;
}

uint32_t lock_closure_need(const LockClosure *closure, uint32_t a, uint32_t acquire, uint32_t b, uint32_t count) {
  const uint32_t lock = closure->run->threads[a].steps[acquire].object, first = lock & ~(uint32_t)1;
  const uint32_t need = need_of(closure, b, count, first);
  if (lock_is_shared(lock)) return need;
  const uint32_t shared = need_of(closure, b, count, first + 1);
  return need > shared ? need : shared;
}

/* ---- raises in the present pass ---- */

static void push(LockClosure *closure, Raise raise) {
  vec_push(closure->run->heap, &closure->raises, raise);
  Raise *at = closure->raises.at;
  uint32_t i = closure->raises.n - 1;
  for (; i && at[(i - 1) / 2].count < raise.count; i = (i - 1) / 2) at[i] = at[(i - 1) / 2];
  at[i] = raise;
}

static void pop(LockClosure *closure) {
  Raise *at = closure->raises.at;
  const uint32_t n = --closure->raises.n;
  const Raise last = at[n];
  uint32_t i = 0;
  for (uint32_t child = 1; child < n; child = 2 * i + 1) {
    if (child + 1 < n && at[child + 1].count > at[child].count) child++;
    if (at[child].count <= last.count) break;
    at[i] = at[child];
    i = child;
  }
  at[i] = last;
}

/* What is asked of a step of A, with what was raised since the pass began. */
static uint32_t least_at(LockClosure *closure, uint32_t step) {
  while (closure->raises.n && closure->raises.at[0].step > step) pop(closure);
  const uint32_t least = closure->least.at[step], raised = closure->raises.n ? closure->raises.at[0].count : 0;
  return least > raised ? least : raised;
}

/* ---- the least numbers ---- */

/* So many of B must come before the step of A. */
static bool raise_to(LockClosure *closure, uint32_t step, uint32_t count) {
  const LockDemand *demand = &closure->demand;
  assert(step >= demand->from_a && step <= demand->last);
  if (count <= demand->from_b) return true;
  if (step <= demand->early && count > demand->most) return false;
  while (closure->low > step) closure->least.at[--closure->low] = demand->from_b;
  if (closure->least.at[step] >= count) return true;
  closure->least.at[step] = count;
  push(closure, (Raise){count, step});
  return closure->changed = true;
}

static bool exclude(LockClosure *closure, uint32_t acquire, uint32_t count) {
  const uint32_t need = lock_closure_need(closure, closure->demand.a, acquire, closure->demand.b, count);
  return need != NONE && raise_to(closure, acquire, need);
}

static bool exclude_held(LockClosure *closure) {
  const LockRun *run = closure->run;
  const uint32_t last = closure->demand.last, count = closure->least.at[last];
  for (uint32_t set = run->threads[closure->demand.a].held[last]; set; set = run->sets.at[set].rest) {
    const uint32_t acquire = last_acquire(closure, closure->demand.a, run->sets.at[set].lock, last);
    if (!exclude(closure, acquire, count)) return false;
  }
  return true;
}

/* The numbers grow from the left to the right; what they ask for is asked from the right to the left. */
static bool pass(LockClosure *closure) {
  const LockStep *steps = closure->run->threads[closure->demand.a].steps;
  const uint32_t *partner = closure->partner[closure->demand.a];
  closure->changed = false;
  vec_clear(&closure->raises);
  for (uint32_t p = closure->low; p < closure->demand.last; p++)
    if (closure->least.at[p + 1] < closure->least.at[p]) closure->least.at[p + 1] = closure->least.at[p];
  if (!exclude_held(closure)) return false;
  for (uint32_t p = closure->demand.last; p-- > closure->low;)
    if (steps[p].op == STEP_RELEASE && !exclude(closure, partner[p], least_at(closure, p))) return false;
  return true;
}

/* ---- edges between the two ---- */

/* From B to A. */
static bool ask_edges(LockClosure *closure) {
  LockSources sources = lock_run_sources(closure->run, closure->demand.a, closure->demand.from_a);
  for (LockEdge edge; lock_sources_next(&sources, &edge) && edge.to.step <= closure->demand.last;)
    if (edge.from.thread == closure->demand.b && !raise_to(closure, edge.to.step, edge.from.step + 1)) return false;
  return true;
}

/* From A to B: are they kept? */
static bool edges_allow(const LockClosure *closure) {
  const uint32_t end = closure->least.at[closure->demand.last];
  LockSources sources = lock_run_sources(closure->run, closure->demand.b, closure->demand.from_b);
  for (LockEdge edge; lock_sources_next(&sources, &edge) && edge.to.step < end;) {
    const uint32_t from = edge.from.step;
    if (edge.from.thread != closure->demand.a) continue;
    if (from > closure->demand.last || (from >= closure->low && closure->least.at[from] > edge.to.step)) return false;
  }
  return true;
}

/* ---- the whole ---- */

bool lock_closure_solve(LockClosure *closure, const LockDemand *demand) {
  const LockRun *run = closure->run;
  assert(demand->from_a <= demand->last && !run->threads[demand->a].held[demand->from_a]);
  assert(demand->from_b < demand->count && !run->threads[demand->b].held[demand->from_b]);
  closure->demand = *demand;
  closure->low = demand->last + 1;
  vec_clear(&closure->raises);
  vec_resize_zeroed(run->heap, &closure->least, demand->last + 1);
  if (!raise_to(closure, demand->last, demand->count) || !ask_edges(closure)) return false;
  while (closure->changed)
    if (heap_asked(run->heap) != STOP_NOT || !pass(closure)) return false;
  return edges_allow(closure);
}

uint32_t lock_closure_before(const LockClosure *closure, uint32_t step) {
  assert(step >= closure->demand.from_a && step <= closure->demand.last);
  return step < closure->low ? closure->demand.from_b : closure->least.at[step];
}

void lock_closure_tell(const LockClosure *closure, LockTelling *telling) {
  const LockDemand *demand = &closure->demand;
  uint32_t done = demand->from_b;
  for (uint32_t p = demand->from_a; p <= demand->last; p++) {
    const uint32_t before = lock_closure_before(closure, p);
    if (before > done) lock_telling_add(telling, demand->b, before - 1), done = before;
    lock_telling_add(telling, demand->a, p);
  }
}
