/* Accesses are numbered as they are first seen, so within a life their numbers ascend with the stages. */
#include "predict/analysis/access_index.h"

#include <assert.h>
#include <stdlib.h>

#define NONE UINT32_MAX

/* ---- making ---- */

typedef struct {
  uint32_t life, access;
} Key;

static int by_key(const void *a, const void *b) {
  const Key *x = a, *y = b;
  if (x->life != y->life) return x->life < y->life ? -1 : 1;
  return (x->access > y->access) - (x->access < y->access);
}

static LockSetId weaker(LockSets *sets, LockSetId guards, LockSetId held, bool first) {
  return first ? held : guards.v == held.v ? guards : locksets_weakest(sets, guards, held);
}

static void find_guards(AccessIndex *index, Shapes *shapes, uint32_t variable) {
  LockSetId guards = LOCKSET_EMPTY, writes = LOCKSET_EMPTY;
  bool written = false;
  const uint32_t first = shapes->variables.at[variable].accesses;
  for (uint32_t a = first; a != NONE; a = shapes->accesses.at[a].next) {
    const ShapeAccess *access = &shapes->accesses.at[a];
    guards = weaker(&shapes->locksets, guards, access->held, a == first);
    if (!access->write) continue;
    writes = weaker(&shapes->locksets, writes, access->held, !written);
    written = true;
  }
  index->guards[variable] = guards;
  index->writes[variable] = writes;
}

enum { MANY = 3 }; /* fewer runs are looked through one by one */

static const StrandPlace *place_of(const Shapes *shapes, const AccessRun *run) {
  return &shapes->stages.order->places[run->life];
}

/* Does it end with stages that nothing comes after? Such a run is not before what is behind it in its lane. */
static bool is_loose(const AccessIndex *index, const AccessRun *run) {
  const StageId last = access_index_at(index, run->end - 1)->stage;
  return index->shapes->stages.stages.at[last.v].index >= place_of(index->shapes, run)->count;
}

typedef struct {
  AccessRun run;
  bool loose;
  uint32_t lane;
} Ranked;

static int by_rank(const void *a, const void *b) {
  const Ranked *x = a, *y = b;
  if (x->loose != y->loose) return x->loose ? -1 : 1;
  if (!x->loose && x->lane != y->lane) return x->lane < y->lane ? -1 : 1;
  return (x->run.life > y->run.life) - (x->run.life < y->run.life); /* in a lane: lives are numbered as they begin */
}

/* How many of the variable's runs, from `first` on, are loose; then come the others. */
static uint32_t rank_runs(AccessIndex *index, uint32_t first) {
  const uint32_t n = index->runs.n - first;
  Heap *heap = index->shapes->heap;
  if (n < MANY || !index->shapes->stages.order->places) return n;
  Ranked *ranked = heap_alloc(heap, heap_product(heap, n, sizeof *ranked));
  uint32_t loose = 0;
  for (uint32_t i = 0; i < n; i++) {
    const AccessRun *run = &index->runs.at[first + i];
    ranked[i] = (Ranked){*run, is_loose(index, run), place_of(index->shapes, run)->lane};
    loose += ranked[i].loose;
  }
  qsort(ranked, n, sizeof *ranked, by_rank);
  for (uint32_t i = 0; i < n; i++) index->runs.at[first + i] = ranked[i].run;
  heap_release(heap, ranked);
  return loose;
}

/* The variable's accesses go to `order` from place n on; the place behind them. */
static uint32_t sort(AccessIndex *index, uint32_t variable, Key *keys, uint32_t n) {
  const Shapes *shapes = index->shapes;
  uint32_t k = 0;
  for (uint32_t a = shapes->variables.at[variable].accesses; a != NONE; a = shapes->accesses.at[a].next)
    keys[k++] = (Key){shapes_access_life(shapes, &shapes->accesses.at[a]), a};
  qsort(keys, k, sizeof *keys, by_key);
  for (uint32_t i = 0; i < k; i++, n++) {
    const AccessRun run = {keys[i].life, n, n};
    if (i == 0 || keys[i].life != keys[i - 1].life) vec_push(shapes->heap, &index->runs, run);
    index->order[n] = keys[i].access;
    vec_last(&index->runs).end = n + 1;
  }
  return n;
}

void access_index_init(AccessIndex *index, Shapes *shapes) {
  Heap *heap = shapes->heap;
  const uint32_t n_variables = shapes->variables.n, n_accesses = shapes->accesses.n;
  *index = (AccessIndex){.shapes = shapes};
  index->order = heap_alloc(heap, heap_product(heap, n_accesses, sizeof *index->order));
  index->first_run = heap_zeroed(heap, heap_product(heap, (size_t)n_variables + 1, sizeof *index->first_run));
  index->n_loose = heap_zeroed(heap, heap_product(heap, n_variables, sizeof *index->n_loose));
  index->guards = heap_zeroed(heap, heap_product(heap, n_variables, sizeof *index->guards));
  index->writes = heap_zeroed(heap, heap_product(heap, n_variables, sizeof *index->writes));
  Key *keys = heap_alloc(heap, heap_product(heap, n_accesses, sizeof *keys));
  for (uint32_t v = 0, n = 0; v < n_variables; v++) {
    heap_poll(heap);
    n = sort(index, v, keys, n);
    index->n_loose[v] = rank_runs(index, index->first_run[v]);
    index->first_run[v + 1] = index->runs.n;
    find_guards(index, shapes, v);
  }
  heap_release(heap, keys);
}

void access_index_fini(AccessIndex *index) {
  Heap *heap = index->shapes->heap;
  vec_fini(heap, &index->runs);
  heap_release(heap, index->order);
  heap_release(heap, index->first_run);
  heap_release(heap, index->n_loose);
  heap_release(heap, index->guards);
  heap_release(heap, index->writes);
}

/* ---- asking ---- */

uint32_t access_index_after(const AccessIndex *index, const AccessRun *run, StageId stage) {
  const ForkOrder *stages = &index->shapes->stages;
  assert(run->life != fork_order_life(stages, stage));
  uint32_t low = run->from, high = run->end;
  assert(low < high);
  if (fork_order_before(stages, access_index_at(index, high - 1)->stage, stage)) return high; /* as most are */
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (fork_order_before(stages, access_index_at(index, middle)->stage, stage)) low = middle + 1;
    else high = middle;
  }
  return low;
}

uint32_t access_index_until(const AccessIndex *index, const AccessRun *run, StageId stage) {
  const ForkOrder *stages = &index->shapes->stages;
  assert(run->life != fork_order_life(stages, stage));
  uint32_t low = run->from, high = run->end;
  assert(low < high);
  if (fork_order_before(stages, stage, access_index_at(index, low)->stage)) return low;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (fork_order_before(stages, stage, access_index_at(index, middle)->stage)) high = middle;
    else low = middle + 1;
  }
  return low;
}

AccessWalk access_index_walk(const AccessIndex *index, uint32_t variable, StageId first, StageId last) {
  AccessWalk walk = {.index = index, .n_loose = index->n_loose[variable], .first = first, .last = last};
  walk.runs = access_index_runs(index, variable, &walk.n);
  walk.lane_end = walk.n_loose;
  return walk;
}

/* The run, of another life or of that of the walk, is over before it. */
static bool is_over(const AccessWalk *walk, const AccessRun *run) {
  const ForkOrder *stages = &walk->index->shapes->stages;
  return run->life != fork_order_life(stages, walk->first) &&
         fork_order_before(stages, access_index_at(walk->index, run->end - 1)->stage, walk->first);
}

/* The next run is the first one of its lane: on to the first one there that is not over. */
static void enter_lane(AccessWalk *walk) {
  const Shapes *shapes = walk->index->shapes;
  const uint32_t lane = place_of(shapes, &walk->runs[walk->next])->lane;
  uint32_t low = walk->next, high = walk->n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (place_of(shapes, &walk->runs[middle])->lane == lane) low = middle + 1;
    else high = middle;
  }
  walk->lane_end = high;
  for (low = walk->next; low < high;) {
    const uint32_t middle = low + (high - low) / 2;
    if (is_over(walk, &walk->runs[middle])) low = middle + 1;
    else high = middle;
  }
  walk->next = low;
}

bool access_walk_next(AccessWalk *walk, AccessRun *part) {
  const uint32_t life = fork_order_life(&walk->index->shapes->stages, walk->first);
  for (;;) {
    if (walk->next == walk->n) return false;
    const bool loose = walk->next < walk->n_loose;
    if (!loose && walk->next == walk->lane_end) enter_lane(walk);
    if (!loose && walk->next == walk->lane_end) continue;
    const AccessRun *run = &walk->runs[walk->next++];
    if (run->life == life) continue;
    *part = (AccessRun){run->life, access_index_after(walk->index, run, walk->first), run->end};
    if (part->from == run->end) continue;
    part->end = access_index_until(walk->index, run, walk->last);
    if (part->from < part->end) return true;
    if (!loose) walk->next = walk->lane_end; /* it comes after the walk, as do those behind it */
  }
}

bool access_index_guards(const AccessIndex *index, uint32_t variable, bool write, LockSetId held) {
  const LockSetId others = write ? index->guards[variable] : index->writes[variable];
  return !locksets_disjoint(&index->shapes->locksets, others, held);
}

bool access_index_is_guarded(const AccessIndex *index, uint32_t variable) {
  return access_index_guards(index, variable, true, index->writes[variable]);
}
