#include "predict/analysis/reduction.h"

#include "base/sort.h"
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

/* ---- locks that exclude nobody ---- */

/* Of a lock at the accesses to a variable: which life holds it, and how many groups hold it alone. */
typedef struct {
  uint32_t life; /* + 1 */
  uint32_t groups;
} RaceLock;

/* Accesses to a variable that hold the same locks, and write or do not: keys from `from` on. */
typedef struct {
  uint32_t from, end;
  bool common; /* they hold the lock that most groups hold alone */
} Group;

typedef struct {
  Shapes *shapes;
  const AccessIndex *index;
  Keys keys;
  VEC(Group) groups;
  U32Vec others;      /* groups that do not hold the most common lock */
  VEC(RaceLock) uses; /* by lock; all 0 between variables */
  bool *own;          /* by lock: one life alone holds it at the variable */
  uint32_t n_own;
  uint32_t *races;
} Racing;

static RaceLock *use_of(Racing *r, uint32_t number) {
  const uint32_t lock = locksets_lock(number);
  if (lock >= r->uses.n) vec_resize_zeroed(r->shapes->heap, &r->uses, lock + 1);
  return &r->uses.at[lock];
}

static const uint32_t *locks_of(const Racing *r, const Key *key, uint32_t *n) {
  return locksets_locks(&r->shapes->locksets, (LockSetId){key->held}, n);
}

static void find_owners(Racing *r) {
  for (uint32_t i = 0, n; i < r->keys.n; i++) {
    const uint32_t *locks = locks_of(r, &r->keys.at[i], &n), life = r->keys.at[i].life + 1;
    for (uint32_t k = 0; k < n; k++) {
      RaceLock *use = use_of(r, locks[k]);
      use->life = use->life && use->life != life ? NONE : life;
    }
  }
}

static void make_room(Racing *r) {
  if (r->n_own >= r->uses.n) return;
  heap_release(r->shapes->heap, r->own);
  r->own = heap_zeroed(r->shapes->heap, r->uses.n * sizeof *r->own);
  r->n_own = r->uses.n;
}

static void mark_owned(Racing *r, bool mark) {
  for (uint32_t i = 0, n; i < r->keys.n; i++) {
    const uint32_t *locks = locks_of(r, &r->keys.at[i], &n);
    for (uint32_t k = 0; k < n; k++) {
      RaceLock *use = use_of(r, locks[k]);
      r->own[locksets_lock(locks[k])] = mark && use->life != NONE;
      if (!mark) *use = (RaceLock){0};
    }
  }
}

/* A lock that one life alone holds here keeps no other one away; without it sets are equal that are not else. */
static void drop_owned(Racing *r) {
  LockSets *sets = &r->shapes->locksets;
  find_owners(r);
  make_room(r);
  mark_owned(r, true);
  U32Vec held = {0};
  for (uint32_t i = 0; i < r->keys.n; i++)
    vec_push(r->shapes->heap, &held, locksets_without(sets, (LockSetId){r->keys.at[i].held}, r->own).v);
  mark_owned(r, false);
  for (uint32_t i = 0; i < r->keys.n; i++) r->keys.at[i].held = held.at[i];
  vec_fini(r->shapes->heap, &held);
  qsort(r->keys.at, r->keys.n, sizeof *r->keys.at, by_key);
}

/* ---- groups ---- */

static void find_groups(Racing *r) {
  vec_clear(&r->groups);
  for (uint32_t from = 0, end; from < r->keys.n; from = end) {
    end = group_end(&r->keys, from);
    vec_push(r->shapes->heap, &r->groups, ((Group){from, end, false}));
  }
}

/* The lock that most groups hold alone, or NONE; `uses` is clear again. */
static uint32_t most_common(Racing *r) {
  uint32_t most = NONE, groups = 1;
  for (uint32_t g = 0, n; g < r->groups.n; g++) {
    const uint32_t *locks = locks_of(r, &r->keys.at[r->groups.at[g].from], &n);
    for (uint32_t k = 0; k < n; k++)
      if (!locksets_is_shared(locks[k]) && ++use_of(r, locks[k])->groups > groups)
        groups = use_of(r, locks[k])->groups, most = locks[k];
  }
  for (uint32_t i = 0, n; i < r->groups.n; i++) {
    const uint32_t *locks = locks_of(r, &r->keys.at[r->groups.at[i].from], &n);
    for (uint32_t k = 0; k < n; k++) *use_of(r, locks[k]) = (RaceLock){0};
  }
  return most;
}

/* Do two groups race, if they are concurrent? */
static void match_groups(Racing *r, const Group *a, const Group *b) {
  const Key *one = &r->keys.at[a->from], *other = &r->keys.at[b->from];
  if (!one->write && !other->write) return;
  if (locksets_disjoint(&r->shapes->locksets, (LockSetId){one->held}, (LockSetId){other->held}))
    match(r->shapes, &r->keys, a->from, a->end, b->from, b->end, r->races);
}

/* Those that hold the most common lock are matched with those alone that do not. */
static void match_all(Racing *r) {
  const uint32_t common = most_common(r);
  vec_clear(&r->others);
  for (uint32_t g = 0, n; g < r->groups.n; g++) {
    const uint32_t *locks = locks_of(r, &r->keys.at[r->groups.at[g].from], &n), at = sort_count_below(locks, n, common);
    r->groups.at[g].common = at < n && locks[at] == common;
    if (!r->groups.at[g].common) vec_push(r->shapes->heap, &r->others, g);
  }
  for (uint32_t a = 0; a < r->groups.n; a++) {
    const bool all = !r->groups.at[a].common;
    heap_poll(r->shapes->heap);
    for (uint32_t i = 0; i < (all ? r->groups.n : r->others.n); i++)
      match_groups(r, &r->groups.at[a], &r->groups.at[all ? i : r->others.at[i]]);
  }
}

/* One that is concurrent with the access, or NONE. */
static uint32_t concurrent_with(const AccessIndex *index, uint32_t access) {
  const ShapeAccess *a = &index->shapes->accesses.at[access];
  AccessWalk walk = access_index_walk(index, a->variable, a->stage, a->stage);
  AccessRun run;
  return access_walk_next(&walk, &run) ? index->order[run.from] : NONE;
}

enum { MANY = 4 }; /* lives */

/* Where many threads come and go, most have no other one beside them. What has none is no other one's either. */
static void drop_ordered(Racing *r, uint32_t variable) {
  uint32_t lives, n = 0;
  access_index_runs(r->index, variable, &lives);
  if (lives < MANY) return;
  for (uint32_t i = 0; i < r->keys.n; i++)
    if (concurrent_with(r->index, r->keys.at[i].access) != NONE) r->keys.at[n++] = r->keys.at[i];
  r->keys.n = n;
}

static void pairwise(Racing *r) {
  bool writes = false;
  for (uint32_t i = 0; i < r->keys.n && !writes; i++) writes = r->keys.at[i].write;
  if (!writes) return;
  drop_ordered(r, r->shapes->accesses.at[r->keys.at[0].access].variable);
  drop_owned(r);
  find_lives(&r->keys);
  find_groups(r);
  match_all(r);
}

/* Those that are no initialization get a rival: one with which they race, if there is one, else any that is concurrent.
 */
static void by_common_locks(Racing *r) {
  LockSets *sets = &r->shapes->locksets;
  uint32_t n = 0;
  LockSetId common = LOCKSET_EMPTY;
  for (uint32_t i = 0; i < r->keys.n; i++) {
    const Key *key = &r->keys.at[i];
    if (concurrent_with(r->index, key->access) == NONE) continue;
    const LockSetId held = locksets_guards(sets, (LockSetId){key->held}, key->write);
    common = n ? locksets_common(sets, common, held) : held;
    r->keys.at[n++] = *key;
  }
  r->keys.n = n;
  if (n == 0 || common.v != LOCKSET_EMPTY.v) return;
  pairwise(r);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t *race = &r->races[r->keys.at[i].access];
    if (*race == NONE) *race = concurrent_with(r->index, r->keys.at[i].access);
  }
}

static void find_races(Racing *r, RaceTest test) {
  for (uint32_t v = 0; v < r->shapes->variables.n; v++) {
    heap_poll(r->shapes->heap);
    if (test == RACES_PAIRWISE && access_index_is_guarded(r->index, v)) continue;
    gather(r->shapes, v, &r->keys);
    if (test == RACES_PAIRWISE) pairwise(r);
    else by_common_locks(r);
  }
}

uint32_t *reduction_find_races(Shapes *shapes, RaceTest test) {
  Heap *heap = shapes->heap;
  AccessIndex index;
  Racing r = {.shapes = shapes, .index = &index};
  r.races = heap_alloc(heap, heap_product(heap, shapes->accesses.n, sizeof *r.races));
  for (uint32_t a = 0; a < shapes->accesses.n; a++) r.races[a] = NONE;
  access_index_init(&index, shapes);
  find_races(&r, test);
  access_index_fini(&index);
  vec_fini(heap, &r.keys);
  vec_fini(heap, &r.groups);
  vec_fini(heap, &r.others);
  vec_fini(heap, &r.uses);
  heap_release(heap, r.own);
  return r.races;
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
