#include "predict/locks/lock_clocks.h"

#include <assert.h>

#define NONE UINT32_MAX

/* A thread of the cycle: its steps from `base` to `end` - 1 must be done. */
typedef struct {
  uint32_t thread, base, end;
  U32Vec rows; /* of each of these steps: how many of each thread's come before */
} Clocked;

struct LockClocks {
  const LockClosure *closure;
  const LockRun *run;
  VEC(Clocked) threads; /* the first n are in use */
  uint32_t n;           /* 0: nothing is known */
  uint32_t *number_of;  /* of each thread of the run: its number among these, or NONE */
  bool changed, refused;
};

LockClocks *lock_clocks_new(const LockClosure *closure) {
  const LockRun *run = lock_closure_run(closure);
  LockClocks *clocks = heap_zeroed(run->heap, sizeof *clocks);
  clocks->closure = closure;
  clocks->run = run;
  clocks->number_of = heap_alloc(run->heap, heap_product(run->heap, run->n_threads, sizeof *clocks->number_of));
  for (uint32_t t = 0; t < run->n_threads; t++) clocks->number_of[t] = NONE;
  return clocks;
}

void lock_clocks_free(LockClocks *clocks) {
  if (!clocks) return;
  Heap *heap = clocks->run->heap;
  for (uint32_t i = 0; i < clocks->threads.n; i++) vec_fini(heap, &clocks->threads.at[i].rows);
  vec_fini(heap, &clocks->threads);
  heap_release(heap, clocks->number_of);
  heap_release(heap, clocks);
}

/* ---- numbers ---- */

static uint32_t *row_of(const LockClocks *clocks, uint32_t i, uint32_t step) {
  const Clocked *it = &clocks->threads.at[i];
  assert(step >= it->base && step < it->end);
  return it->rows.at + (size_t)(step - it->base) * clocks->n;
}

static void demand(LockClocks *clocks, uint32_t i, uint32_t end) {
  Clocked *it = &clocks->threads.at[i];
  if (end <= it->end) return;
  it->end = end;
  vec_resize_zeroed(clocks->run->heap, &it->rows, (size_t)(end - it->base) * clocks->n);
  clocks->changed = true;
}

/* So many steps of thread `other` come before the step of thread i. */
static void raise_to(LockClocks *clocks, uint32_t i, uint32_t step, uint32_t other, uint32_t count) {
  if (count <= clocks->threads.at[other].base) return;
  demand(clocks, other, count);
  uint32_t *row = row_of(clocks, i, step);
  if (row[other] >= count) return;
  row[other] = count;
  clocks->changed = true;
  clocks->refused |= i == other && count > step;
}

/* With all that comes before what comes before. */
static void follow_step(LockClocks *clocks, uint32_t i, uint32_t step) {
  for (uint32_t k = 0; k < clocks->n && step > clocks->threads.at[i].base; k++)
    raise_to(clocks, i, step, k, row_of(clocks, i, step - 1)[k]);
  for (uint32_t other = 0; other < clocks->n; other++) {
    const uint32_t count = row_of(clocks, i, step)[other];
    if (other == i || count <= clocks->threads.at[other].base) continue;
    for (uint32_t k = 0; k < clocks->n; k++) raise_to(clocks, i, step, k, row_of(clocks, other, count - 1)[k]);
  }
}

/* ---- locks ---- */

/* The first step of thread `other` that must come after that one of thread i, or its end. */
static uint32_t first_after(const LockClocks *clocks, uint32_t other, uint32_t i, uint32_t step) {
  uint32_t low = clocks->threads.at[other].base, high = clocks->threads.at[other].end;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (row_of(clocks, other, middle)[i] <= step) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* The section that begins with thread i's acquire, and those of another thread with that part of the lock: the first
 * one that is not over when it begins must come after it; if it is never ended, all come before it. */
static void exclude(LockClocks *clocks, uint32_t i, uint32_t acquire, uint32_t other, uint32_t part) {
  const Clocked *it = &clocks->threads.at[i], *rival = &clocks->threads.at[other];
  const uint32_t release = lock_closure_partner(clocks->closure, it->thread, acquire);
  const uint32_t after = first_after(clocks, other, i, acquire);
  LockSection section;
  if (after < rival->end && lock_closure_section(clocks->closure, rival->thread, part, after, &section) &&
      section.acquire < rival->end) {
    if (release == NONE) clocks->refused = true;
    else raise_to(clocks, other, section.acquire, i, release + 1);
  }
  if (release != NONE || !lock_closure_last(clocks->closure, rival->thread, part, rival->end, &section)) return;
  if (section.acquire < rival->base) return;
  if (section.release == NONE) clocks->refused = true;
  else raise_to(clocks, i, acquire, other, section.release + 1);
}

static void exclude_all(LockClocks *clocks, uint32_t i, uint32_t acquire) {
  const LockStep *step = &clocks->run->threads[clocks->threads.at[i].thread].steps[acquire];
  if (step->op != STEP_ACQUIRE) return;
  for (uint32_t other = 0; other < clocks->n && !clocks->refused; other++) {
    if (other == i) continue;
    exclude(clocks, i, acquire, other, step->object & ~(uint32_t)1);
    if (!lock_is_shared(step->object)) exclude(clocks, i, acquire, other, step->object | 1);
  }
}

/* ---- the whole ---- */

static void add_edges(LockClocks *clocks, uint32_t i) {
  const Clocked *it = &clocks->threads.at[i];
  LockSources sources = lock_run_sources(clocks->run, it->thread, it->base);
  for (LockEdge edge; lock_sources_next(&sources, &edge) && edge.to.step < it->end;) {
    const uint32_t other = clocks->number_of[edge.from.thread];
    if (other != NONE && other != i) raise_to(clocks, i, edge.to.step, other, edge.from.step + 1);
  }
}

static void pass(LockClocks *clocks) {
  for (uint32_t i = 0; i < clocks->n && !clocks->refused; i++) {
    add_edges(clocks, i);
    for (uint32_t step = clocks->threads.at[i].base; step < clocks->threads.at[i].end && !clocks->refused; step++) {
      follow_step(clocks, i, step);
      exclude_all(clocks, i, step);
    }
  }
}

static void begin(LockClocks *clocks, const LockStart *start, const LockVisit *visits, uint32_t n) {
  clocks->n = n;
  clocks->refused = false;
  while (clocks->threads.n < n) vec_push(clocks->run->heap, &clocks->threads, (Clocked){0});
  for (uint32_t i = 0; i < n; i++) {
    Clocked *it = &clocks->threads.at[i];
    it->thread = visits[i].thread;
    it->base = it->end = start->at[it->thread];
    vec_clear(&it->rows);
    clocks->number_of[it->thread] = i;
  }
  for (uint32_t i = 0; i < n; i++) demand(clocks, i, lock_visit_need(&visits[i]));
  for (uint32_t i = 0; i < n; i++) raise_to(clocks, (i + 1) % n, visits[(i + 1) % n].in, i, visits[i].out + 1);
}

/* Numbers that all can have, at most. */
static bool is_small(const LockRun *run, const LockStart *start, const LockVisit *visits, uint32_t n) {
  static const uint64_t MOST = (uint64_t)1 << 20;
  uint64_t steps = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t idle = run->threads[visits[i].thread].next_idle[lock_visit_need(&visits[i])];
    steps += (idle == NONE ? run->threads[visits[i].thread].n : idle) - start->at[visits[i].thread];
  }
  return steps * n <= MOST;
}

bool lock_clocks_solve(LockClocks *clocks, const LockStart *start, const LockVisit *visits, uint32_t n) {
  clocks->n = 0;
  if (!is_small(clocks->run, start, visits, n)) return true;
  begin(clocks, start, visits, n);
  while (clocks->changed && !clocks->refused && heap_asked(clocks->run->heap) == STOP_NOT) {
    clocks->changed = false;
    pass(clocks);
  }
  for (uint32_t i = 0; i < n; i++) clocks->number_of[visits[i].thread] = NONE;
  return !clocks->refused;
}

bool lock_clocks_allow(const LockClocks *clocks, uint32_t i, uint32_t step, const uint32_t *now) {
  if (i >= clocks->n || step < clocks->threads.at[i].base || step >= clocks->threads.at[i].end) return true;
  const uint32_t *row = row_of(clocks, i, step);
  for (uint32_t k = 0; k < clocks->n; k++)
    if (k != i && now[k] < row[k]) return false;
  return true;
}
