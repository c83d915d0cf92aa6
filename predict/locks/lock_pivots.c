#include "predict/locks/lock_pivots.h"

#include "base/sort.h"
#include "predict/pairs.h"

#include <assert.h>
#include <string.h>

#define NONE UINT32_MAX

struct LockPivots {
  const LockRun *run;
  Strands *order;
  Arena arena;
  uint32_t **pivot; /* of each thread and step: the pivot of its transaction */
  uint8_t **has; /* of each thread and step: what it has as the first one, and, four bits higher, as the second one */
  LockGroup *groups[2][PIVOT_SETS]; /* of each group: the accesses that lack a set; NULL for set 0: these are all */
  bool any_loose;
};

/* ---- a lock for each object ---- */

/* The lock under which each object is touched most often, or NONE; and is the object touched without it, too? */
typedef struct {
  uint32_t *lock;
  bool *mixed;
} ObjectLocks;

static void count_accesses(const LockRun *run, uint32_t *count) {
  for (uint32_t t = 0; t < run->n_threads; t++)
    for (uint32_t p = 0; p < run->threads[t].n; p++)
      if (run->threads[t].steps[p].op <= STEP_WRITE) count[run->threads[t].steps[p].object]++;
}

static ObjectLocks choose_locks(const LockRun *run) {
  Heap *heap = run->heap;
  Pairs under = {0}; /* (twice an object, and one more if it is read; set of locks) */
  Pairs taken = {0}; /* (object, lock) */
  U32Vec counts = {0}, votes = {0};
  for (uint32_t t = 0; t < run->n_threads; t++)
    for (uint32_t p = 0; p < run->threads[t].n; p++) {
      const LockStep *step = &run->threads[t].steps[p];
      if (step->op > STEP_WRITE || !run->threads[t].held[p]) continue;
      const uint32_t number =
          pairs_add(heap, &under, 2 * step->object + (step->op == STEP_READ), run->threads[t].held[p]);
      if (number == counts.n) vec_push(heap, &counts, 0);
      assert(number < counts.n && counts.at);
      counts.at[number]++;
    }
  uint32_t *locks = heap_alloc(heap, heap_product(heap, run->n_objects, sizeof *locks));
  uint32_t *all = heap_zeroed(heap, heap_product(heap, run->n_objects, sizeof *all));
  bool *mixed = heap_zeroed(heap, run->n_objects);
  uint32_t *most = heap_zeroed(heap, heap_product(heap, run->n_objects, sizeof *most));
  for (uint32_t o = 0; o < run->n_objects; o++) locks[o] = NONE;
  for (uint32_t i = 0; i < under.all.n; i++) {
    const uint32_t object = under.all.at[i].a / 2;
    const bool reads = under.all.at[i].a & 1;
    for (uint32_t set = under.all.at[i].b; set; set = run->sets.at[set].rest) {
      if (lock_is_shared(run->sets.at[set].lock) && !reads) continue;
      const uint32_t lock = run->sets.at[set].lock / 2, number = pairs_add(heap, &taken, object, lock);
      if (number == votes.n) vec_push(heap, &votes, 0);
      assert(number < votes.n && votes.at && counts.at);
      votes.at[number] += counts.at[i];
      if (votes.at[number] > most[object]) most[object] = votes.at[number], locks[object] = lock;
    }
  }
  count_accesses(run, all);
  for (uint32_t o = 0; o < run->n_objects; o++) mixed[o] = most[o] < all[o];
  pairs_fini(heap, &under);
  pairs_fini(heap, &taken);
  vec_fini(heap, &counts);
  vec_fini(heap, &votes);
  heap_release(heap, most);
  heap_release(heap, all);
  return (ObjectLocks){locks, mixed};
}

/* ---- pivots ---- */

/* A lock is held in the steps `from` to `to` - 1 of a transaction; `weight` accesses there are to objects of that lock.
 * Other accesses stand for themselves, and so do those to objects that are also touched without their lock: they keep
 * the order with all others if they are the pivot. */
typedef struct {
  uint32_t from, to, weight;
} Hold;

typedef struct {
  LockPivots *pivots;
  ObjectLocks locks; /* of each object, half of the lock's parts */
  uint32_t *hold_of; /* of each part of a lock: its number in `holds` + 1, while it is held */
  VEC(Hold) holds;
  U32Vec own;          /* of each step of the transaction: the hold that its access asks for, or NONE */
  VEC(int64_t) change; /* of the sum of weights, at each step */
  uint8_t *common;     /* of each object: what all accesses have as both */
} Choosing;

static void take(Choosing *c, uint32_t lock, uint32_t from, uint32_t end) {
  const Hold hold = {from, end, 0};
  vec_push(c->pivots->run->heap, &c->holds, hold);
  c->hold_of[lock] = c->holds.n;
}

static void take_step(Choosing *c, uint32_t step) {
  const Hold hold = {step, step + 1, 1};
  vec_push(c->pivots->run->heap, &c->holds, hold);
}

static void find_holds(Choosing *c, const LockThread *thread, uint32_t begin, uint32_t end) {
  const LockRun *run = c->pivots->run;
  vec_clear(&c->holds);
  vec_clear(&c->own);
  for (uint32_t set = thread->held[begin]; set; set = run->sets.at[set].rest)
    take(c, run->sets.at[set].lock, begin, end);
  for (uint32_t p = begin; p < end; p++) {
    const LockStep *step = &thread->steps[p];
    uint32_t own = NONE;
    if (step->op == STEP_ACQUIRE) take(c, step->object, p + 1, end);
    if (step->op == STEP_RELEASE) c->holds.at[c->hold_of[step->object] - 1].to = p, c->hold_of[step->object] = 0;
    const uint32_t lock = step->op <= STEP_WRITE ? c->locks.lock[step->object] : NONE;
    if (lock != NONE && c->hold_of[2 * lock]) own = c->hold_of[2 * lock] - 1;
    else if (lock != NONE && step->op == STEP_READ && c->hold_of[2 * lock + 1]) own = c->hold_of[2 * lock + 1] - 1;
    assert(own == NONE || (own < c->holds.n && c->holds.at));
    if (own != NONE) c->holds.at[own].weight++;
    if (step->op <= STEP_WRITE && (own == NONE || c->locks.mixed[step->object])) take_step(c, p);
    vec_push(run->heap, &c->own, own);
  }
  for (uint32_t set = thread->held[end]; set; set = run->sets.at[set].rest) c->hold_of[run->sets.at[set].lock] = 0;
}

/* The step at which the locks that are held are those of most accesses. */
static uint32_t best_pivot(Choosing *c, uint32_t begin, uint32_t end) {
  uint32_t best = begin;
  int64_t sum = 0, most = 0;
  vec_clear(&c->change);
  vec_resize_zeroed(c->pivots->run->heap, &c->change, end - begin + 1);
  for (uint32_t h = 0; h < c->holds.n; h++) {
    const Hold *hold = &c->holds.at[h];
    c->change.at[hold->from - begin] += hold->weight;
    c->change.at[hold->to - begin] -= hold->weight;
  }
  for (uint32_t p = begin; p < end; p++) {
    sum += c->change.at[p - begin];
    if (sum > most) most = sum, best = p;
  }
  return best;
}

static uint8_t things(const Choosing *c, uint32_t own, uint32_t step, uint32_t pivot) {
  const bool firm = own != NONE && c->holds.at[own].from <= pivot && pivot < c->holds.at[own].to;
  const unsigned first = (firm ? PIVOT_FIRM : 0) | (pivot <= step ? PIVOT_SIDE : 0);
  const unsigned second = (firm ? PIVOT_FIRM : 0) | (step <= pivot ? PIVOT_SIDE : 0);
  return (uint8_t)(first | second << 4);
}

static void choose(Choosing *c, uint32_t t, uint32_t begin, uint32_t end) {
  const LockThread *thread = &c->pivots->run->threads[t];
  find_holds(c, thread, begin, end);
  const uint32_t pivot = best_pivot(c, begin, end);
  for (uint32_t p = begin; p < end; p++) {
    const uint8_t has = things(c, c->own.at[p - begin], p, pivot);
    c->pivots->pivot[t][p] = pivot;
    c->pivots->has[t][p] = has;
    if (thread->steps[p].op <= STEP_WRITE) c->common[thread->steps[p].object] &= has & (has >> 4) & 15;
  }
}

static void choose_all(LockPivots *pivots) {
  const LockRun *run = pivots->run;
  Choosing c = {.pivots = pivots, .locks = choose_locks(run)};
  c.hold_of = heap_zeroed(run->heap, heap_product(run->heap, run->n_locks, sizeof *c.hold_of));
  c.common = heap_alloc(run->heap, run->n_objects);
  memset(c.common, PIVOT_FIRM | PIVOT_SIDE, run->n_objects);
  for (uint32_t t = 0; t < run->n_threads; t++) {
    const LockThread *thread = &run->threads[t];
    pivots->pivot[t] = arena_alloc(&pivots->arena, heap_product(run->heap, thread->n, sizeof **pivots->pivot));
    pivots->has[t] = arena_alloc(&pivots->arena, thread->n);
    for (uint32_t begin = 0, end; begin < thread->n; begin = end) {
      for (end = begin + 1; end < thread->n && thread->steps[end].transaction == thread->steps[begin].transaction;)
        end++;
      choose(&c, t, begin, end);
    }
  }
  for (uint32_t o = 0; o < run->n_objects; o++) pivots->any_loose |= !c.common[o];
  heap_release(run->heap, c.common);
  heap_release(run->heap, c.locks.lock);
  heap_release(run->heap, c.locks.mixed);
  heap_release(run->heap, c.hold_of);
  vec_fini(run->heap, &c.holds);
  vec_fini(run->heap, &c.own);
  vec_fini(run->heap, &c.change);
}

/* ---- the accesses that are left ---- */

/* No lock is that of an edge. */
static uint32_t things_of(const LockPivots *pivots, uint32_t class, LockPlace place, bool second) {
  const uint32_t both = pivots->has[place.thread][place.step], has = second ? both >> 4 : both & 15;
  return class >= 2 * pivots->run->n_objects ? has & ~(uint32_t)PIVOT_FIRM : has;
}

static LockGroup pick(LockPivots *pivots, const LockGroup *all, bool second, uint32_t lacks) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < all->n; i++) n += lock_pivots_lack(pivots, all, all->steps[i], second, lacks);
  uint32_t *steps = arena_alloc(&pivots->arena, n * sizeof *steps);
  n = 0;
  for (uint32_t i = 0; i < all->n; i++)
    if (lock_pivots_lack(pivots, all, all->steps[i], second, lacks)) steps[n++] = all->steps[i];
  return (LockGroup){.class = all->class, .thread = all->thread, .steps = steps, .n = n};
}

static void list_lacking(LockPivots *pivots) {
  const LockRun *run = pivots->run;
  for (uint32_t k = 2; k < 2 * PIVOT_SETS; k++) {
    LockGroup *groups = arena_alloc(&pivots->arena, heap_product(run->heap, run->n_groups, sizeof *groups));
    for (uint32_t g = 0; g < run->n_groups; g++) groups[g] = pick(pivots, &run->groups[g], k % 2, k / 2);
    pivots->groups[k % 2][k / 2] = groups;
  }
}

LockPivots *lock_pivots_new(const LockRun *run, Strands *order) {
  LockPivots *pivots = heap_zeroed(run->heap, sizeof *pivots);
  pivots->run = run;
  pivots->order = order;
  arena_init(&pivots->arena, run->heap);
  pivots->pivot = arena_zeroed(&pivots->arena, run->n_threads, sizeof *pivots->pivot);
  pivots->has = arena_zeroed(&pivots->arena, run->n_threads, sizeof *pivots->has);
  choose_all(pivots);
  for (uint32_t e = 0; e < run->n_edges && !pivots->any_loose; e++)
    pivots->any_loose = run->edges[e].conflict &&
                        !lock_pivots_keep(pivots, run->edges[e].from, run->edges[e].to, 2 * (run->n_objects + e));
  if (pivots->any_loose) list_lacking(pivots);
  return pivots;
}

void lock_pivots_free(LockPivots *pivots) {
  if (!pivots) return;
  arena_fini(&pivots->arena);
  heap_release(pivots->run->heap, pivots);
}

bool lock_pivots_any_loose(const LockPivots *pivots) { return pivots->any_loose; }

bool lock_pivots_lack(const LockPivots *pivots, const LockGroup *group, uint32_t step, bool second, uint32_t lacks) {
  return (things_of(pivots, group->class, (LockPlace){group->thread, step}, second) & lacks) == 0;
}

const LockGroup *lock_pivots_lacking(const LockPivots *pivots, const LockGroup *group, bool second, uint32_t lacks) {
  return lacks ? &pivots->groups[second][lacks][group - pivots->run->groups] : group;
}

bool lock_pivots_ordered(const LockPivots *pivots, LockPlace from, LockPlace to) {
  const uint32_t first = pivots->pivot[from.thread][from.step], second = pivots->pivot[to.thread][to.step];
  const LockPlace place = {to.thread, to.step < second ? to.step : second};
  return strands_before(pivots->order, place.thread, place.step, from.thread) > first;
}

bool lock_pivots_keep(const LockPivots *pivots, LockPlace from, LockPlace to, uint32_t class) {
  return (things_of(pivots, class, from, false) & things_of(pivots, class, to, true)) != 0 ||
         lock_pivots_ordered(pivots, from, to);
}

/* The first stop from the step on; then the first step that another stage has. */
static uint32_t next_stage(const LockThread *thread, uint32_t step) {
  const uint32_t stop = sort_count_below(thread->stops, thread->n_stops, step);
  if (stop == thread->n_stops) return NONE;
  return thread->stops[stop] == step ? step + 1 : thread->stops[stop];
}

uint32_t lock_pivots_next(const LockPivots *pivots, LockPlace place) {
  const LockThread *thread = &pivots->run->threads[place.thread];
  const uint32_t *pivot = pivots->pivot[place.thread];
  const uint32_t own = next_stage(thread, place.step), other = next_stage(thread, pivot[place.step]);
  uint32_t low = place.step + 1, high = thread->n;
  while (low < high && other != NONE) {
    const uint32_t middle = low + (high - low) / 2;
    if (pivot[middle] < other) low = middle + 1;
    else high = middle;
  }
  const uint32_t by_pivot = other == NONE ? NONE : low;
  return own < by_pivot ? own : by_pivot;
}
