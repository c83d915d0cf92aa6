#include "predict/analysis/reduction.h"

#include <assert.h>
#include <stdlib.h>

#define NONE UINT32_MAX

/* ---- races ---- */

typedef struct {
  uint32_t held, write, access;
} Key;

typedef VEC(Key) Keys;

static int by_key(const void *a, const void *b) {
  const Key *x = a, *y = b;
  if (x->held != y->held) return x->held < y->held ? -1 : 1;
  if (x->write != y->write) return x->write < y->write ? -1 : 1;
  return (x->access > y->access) - (x->access < y->access);
}

static void gather(const Shapes *shapes, uint32_t variable, Keys *keys) {
  vec_clear(keys);
  for (uint32_t a = shapes->variables.at[variable].accesses; a != NONE; a = shapes->accesses.at[a].next) {
    const Key key = {shapes->accesses.at[a].held.v, shapes->accesses.at[a].write, a};
    vec_push(shapes->heap, keys, key);
  }
  if (keys->n) qsort(keys->at, keys->n, sizeof *keys->at, by_key);
}

static uint32_t group_end(const Keys *keys, uint32_t from) {
  assert(from < keys->n);
  uint32_t i = from + 1;
  while (i < keys->n && keys->at[i].held == keys->at[from].held && keys->at[i].write == keys->at[from].write) i++;
  return i;
}

static bool concurrent(const Shapes *shapes, uint32_t a, uint32_t b) {
  return fork_order_concurrent(&shapes->stages, shapes->accesses.at[a].stage, shapes->accesses.at[b].stage);
}

/* For the accesses from `a` to `a_end` that have no rival yet, one among those from `b` to `b_end`. */
static void match(const Shapes *shapes, const Keys *keys, uint32_t a, uint32_t a_end, uint32_t b, uint32_t b_end,
                  uint32_t *races) {
  assert(a <= a_end && a_end <= keys->n && b <= b_end && b_end <= keys->n);
  for (; a < a_end; a++) {
    uint32_t *race = &races[keys->at[a].access];
    for (uint32_t i = b; i < b_end && *race == NONE; i++)
      if (concurrent(shapes, keys->at[a].access, keys->at[i].access)) *race = keys->at[i].access;
  }
}

static void pairwise(const Shapes *shapes, const Keys *keys, uint32_t *races) {
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

/* Those that are no initialization get a rival: one with which they race, if there is one, else any that is concurrent.
 */
static void by_common_locks(Shapes *shapes, Keys *keys, uint32_t *races) {
  uint32_t n = 0;
  LockSetId common = LOCKSET_EMPTY;
  for (uint32_t i = 0; i < keys->n; i++) {
    bool shared = false;
    for (uint32_t j = 0; j < keys->n && !shared; j++)
      shared = concurrent(shapes, keys->at[i].access, keys->at[j].access);
    if (!shared) continue;
    const LockSetId held = locksets_guards(&shapes->locksets, (LockSetId){keys->at[i].held}, keys->at[i].write);
    common = n ? locksets_common(&shapes->locksets, common, held) : held;
    keys->at[n++] = keys->at[i];
  }
  keys->n = n;
  if (n == 0 || common.v != LOCKSET_EMPTY.v) return;
  pairwise(shapes, keys, races);
  match(shapes, keys, 0, n, 0, n, races);
}

uint32_t *reduction_find_races(Shapes *shapes, RaceTest test) {
  uint32_t *races = heap_alloc(shapes->heap, heap_product(shapes->heap, shapes->accesses.n, sizeof *races));
  Keys keys = {0};
  for (uint32_t a = 0; a < shapes->accesses.n; a++) races[a] = NONE;
  for (uint32_t v = 0; v < shapes->variables.n; v++) {
    gather(shapes, v, &keys);
    if (test == RACES_PAIRWISE) pairwise(shapes, &keys, races);
    else by_common_locks(shapes, &keys, races);
  }
  vec_fini(shapes->heap, &keys);
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
