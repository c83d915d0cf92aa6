#include "predict/analysis/reduction.h"

#include "predict/analysis/access_index.h"

#include <assert.h>
#include <stdlib.h>

#define NONE UINT32_MAX

/* ---- races ---- */

typedef struct {
  uint32_t held, write, life, access;
  uint32_t life_end; /* of a group's keys of this life: set for the first one */
} Key;

typedef VEC(Key) Keys;

static int by_key(const void *a, const void *b) {
  const Key *x = a, *y = b;
  if (x->held != y->held) return x->held < y->held ? -1 : 1;
  if (x->write != y->write) return x->write < y->write ? -1 : 1;
  if (x->life != y->life) return x->life < y->life ? -1 : 1;
  return (x->access > y->access) - (x->access < y->access);
}

static void gather(const Shapes *shapes, uint32_t variable, Keys *keys) {
  vec_clear(keys);
  for (uint32_t a = shapes->variables.at[variable].accesses; a != NONE; a = shapes->accesses.at[a].next) {
    const ShapeAccess *access = &shapes->accesses.at[a];
    const Key key = {access->held.v, access->write, shapes_access_life(shapes, access), a, 0};
    vec_push(shapes->heap, keys, key);
  }
  if (keys->n) qsort(keys->at, keys->n, sizeof *keys->at, by_key);
}

static bool same_group(const Key *a, const Key *b) { return a->held == b->held && a->write == b->write; }

/* Fills life_end. */
static void find_lives(Keys *keys) {
  for (uint32_t i = 0, end; i < keys->n; i = end) {
    for (end = i + 1; end < keys->n && keys->at[end].life == keys->at[i].life;) {
      if (!same_group(&keys->at[end], &keys->at[i])) break;
      end++;
    }
    keys->at[i].life_end = end;
  }
}

static uint32_t group_end(const Keys *keys, uint32_t from) {
  assert(from < keys->n);
  uint32_t i = from + 1;
  while (i < keys->n && same_group(&keys->at[i], &keys->at[from])) i++;
  return i;
}

static bool concurrent(const Shapes *shapes, uint32_t a, uint32_t b) {
  return fork_order_concurrent(&shapes->stages, shapes->accesses.at[a].stage, shapes->accesses.at[b].stage);
}

static StageId stage_of(const Shapes *shapes, uint32_t access) { return shapes->accesses.at[access].stage; }

/* Of one life's keys the first that does not come before the access. If that is concurrent with it, it is the first
 * that is; else it comes after the access, as do those behind it. */
static uint32_t first_after(const Shapes *shapes, const Keys *keys, uint32_t from, uint32_t end, uint32_t access) {
  while (from < end) {
    const uint32_t middle = from + (end - from) / 2;
    const StageId stage = stage_of(shapes, keys->at[middle].access);
    if (fork_order_before(&shapes->stages, stage, stage_of(shapes, access))) from = middle + 1;
    else end = middle;
  }
  return from;
}

/* The least access among those from `b` to `b_end` that is concurrent with the one of `key`, or NONE. */
static uint32_t rival_of(const Shapes *shapes, const Keys *keys, const Key *key, uint32_t b, uint32_t b_end) {
  uint32_t rival = NONE;
  for (uint32_t end; b < b_end; b = end) {
    end = keys->at[b].life_end;
    assert(b < end && end <= b_end);
    if (keys->at[b].life == key->life || keys->at[b].access > rival) continue;
    const uint32_t i = first_after(shapes, keys, b, end, key->access);
    if (i < end && keys->at[i].access < rival && concurrent(shapes, key->access, keys->at[i].access))
      rival = keys->at[i].access;
  }
  return rival;
}

/* For the accesses from `a` to `a_end` that have no rival yet, one among those from `b` to `b_end`, whole groups. */
static void match(const Shapes *shapes, const Keys *keys, uint32_t a, uint32_t a_end, uint32_t b, uint32_t b_end,
                  uint32_t *races) {
  assert(a <= a_end && a_end <= keys->n && b <= b_end && b_end <= keys->n);
  heap_poll(shapes->heap);
  for (; a < a_end; a++) {
    uint32_t *race = &races[keys->at[a].access];
    if (*race == NONE) *race = rival_of(shapes, keys, &keys->at[a], b, b_end);
  }
}

static void pairwise(const Shapes *shapes, Keys *keys, uint32_t *races) {
  bool writes = false;
  for (uint32_t i = 0; i < keys->n && !writes; i++) writes = keys->at[i].write;
  if (!writes) return;
  find_lives(keys);
  for (uint32_t a = 0, a_end; a < keys->n; a = a_end) {
    a_end = group_end(keys, a);
    for (uint32_t b = 0, b_end; b < keys->n; b = b_end) {
      b_end = group_end(keys, b);
      if (!keys->at[a].write && !keys->at[b].write) continue;
      const LockSetId held = {keys->at[a].held}, other = {keys->at[b].held};
      if (locksets_disjoint(&shapes->locksets, held, other)) match(shapes, keys, a, a_end, b, b_end, races);
    }
  }
}

/* One that is concurrent with the access, or NONE. */
static uint32_t concurrent_with(const AccessIndex *index, uint32_t access) {
  const ShapeAccess *a = &index->shapes->accesses.at[access];
  uint32_t n;
  const AccessRun *runs = access_index_runs(index, a->variable, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (runs[i].life == shapes_access_life(index->shapes, a)) continue;
    const uint32_t place = access_index_after(index, &runs[i], a->stage);
    if (place < runs[i].end && concurrent(index->shapes, access, index->order[place])) return index->order[place];
  }
  return NONE;
}

/* Those that are no initialization get a rival: one with which they race, if there is one, else any that is concurrent.
 */
static void by_common_locks(Shapes *shapes, const AccessIndex *index, Keys *keys, uint32_t *races) {
  uint32_t n = 0;
  LockSetId common = LOCKSET_EMPTY;
  for (uint32_t i = 0; i < keys->n; i++) {
    if (concurrent_with(index, keys->at[i].access) == NONE) continue;
    const LockSetId held = locksets_guards(&shapes->locksets, (LockSetId){keys->at[i].held}, keys->at[i].write);
    common = n ? locksets_common(&shapes->locksets, common, held) : held;
    keys->at[n++] = keys->at[i];
  }
  keys->n = n;
  if (n == 0 || common.v != LOCKSET_EMPTY.v) return;
  pairwise(shapes, keys, races);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t *race = &races[keys->at[i].access];
    if (*race == NONE) *race = concurrent_with(index, keys->at[i].access);
  }
}

static void find_races(Shapes *shapes, const AccessIndex *index, RaceTest test, uint32_t *races) {
  Keys keys = {0};
  for (uint32_t v = 0; v < shapes->variables.n; v++) {
    heap_poll(shapes->heap);
    if (test == RACES_PAIRWISE && access_index_is_guarded(index, v)) continue;
    gather(shapes, v, &keys);
    if (test == RACES_PAIRWISE) pairwise(shapes, &keys, races);
    else by_common_locks(shapes, index, &keys, races);
  }
  vec_fini(shapes->heap, &keys);
}

uint32_t *reduction_find_races(Shapes *shapes, RaceTest test) {
  AccessIndex index;
  uint32_t *races = heap_alloc(shapes->heap, heap_product(shapes->heap, shapes->accesses.n, sizeof *races));
  for (uint32_t a = 0; a < shapes->accesses.n; a++) races[a] = NONE;
  access_index_init(&index, shapes);
  find_races(shapes, &index, test, races);
  access_index_fini(&index);
  return races;
}

/* ---- movers ---- */

typedef enum { BOTH, RIGHT, LEFT, NEITHER } Mover;

static Mover mover(const Shapes *shapes, const Step *step, const uint32_t *races) {
  switch (step->kind) {
  case STEP_ACCESS: return races[step->id] == NONE ? BOTH : NEITHER;
  case STEP_ACQUIRE: return shapes_lock_is_private(shapes, step->id) ? BOTH : RIGHT;
  case STEP_RELEASE: return shapes_lock_is_private(shapes, step->id) ? BOTH : LEFT;
  case STEP_STAGE: break;
  }
  const StageCause cause = shapes->stages.stages.at[step->id].cause;
  if (cause == STAGE_BY_FORK || cause == STAGE_BY_SIGNAL) return LEFT;
  return cause == STAGE_BY_JOIN || cause == STAGE_BY_WAIT ? RIGHT : NEITHER;
}

bool reduction_holds(const Shapes *shapes, const Shape *shape, const uint32_t *races, ReductionBreak *at) {
  uint32_t first = NONE;
  for (uint32_t i = 0; i < shape->n; i++) {
    if (i + 1 < shape->n && shapes_are_one(shape->steps, i, i + 1))
      continue; /* what races with a read of an update
                   races with its write */
    const Mover m = mover(shapes, &shape->steps[i], races);
    if (first != NONE && (m == RIGHT || m == NEITHER)) return *at = (ReductionBreak){first, i}, false;
    if (first == NONE && (m == LEFT || m == NEITHER)) first = i;
  }
  return true;
}
