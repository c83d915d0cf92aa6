#include "predict/locks/lock_walks.h"

#include <assert.h>

#define NONE UINT32_MAX

/* Layer 1 is entered by an edge that the pivots do not keep. */
enum { KEPT, FREE, LAYERS };

typedef struct {
  uint32_t layer, number;
} Mark;

typedef VEC(Mark) Marks;

struct LockWalks {
  const LockRun *run;
  Strands *order;
  const LockPivots *pivots;
  uint32_t home;
  uint32_t *entry[LAYERS];  /* of each thread: the first step by which it is entered, or NONE */
  uint32_t *leaves[LAYERS]; /* of each group: the first access by which it was left, or NONE */
  Marks entered, left;      /* threads and groups for which these are set */
  Marks waiting;            /* threads whose entry has become earlier */
};

LockWalks *lock_walks_new(const LockRun *run, Strands *order, const LockPivots *pivots) {
  LockWalks *walks = heap_zeroed(run->heap, sizeof *walks);
  walks->run = run;
  walks->order = order;
  walks->pivots = pivots;
  for (uint32_t layer = 0; layer < LAYERS; layer++) {
    walks->entry[layer] = heap_alloc(run->heap, heap_product(run->heap, run->n_threads, sizeof(uint32_t)));
    walks->leaves[layer] = heap_alloc(run->heap, heap_product(run->heap, run->n_groups, sizeof(uint32_t)));
    for (uint32_t t = 0; t < run->n_threads; t++) walks->entry[layer][t] = NONE;
    for (uint32_t g = 0; g < run->n_groups; g++) walks->leaves[layer][g] = NONE;
  }
  return walks;
}

void lock_walks_free(LockWalks *walks) {
  if (!walks) return;
  Heap *heap = walks->run->heap;
  for (uint32_t layer = 0; layer < LAYERS; layer++) {
    heap_release(heap, walks->entry[layer]);
    heap_release(heap, walks->leaves[layer]);
  }
  vec_fini(heap, &walks->entered);
  vec_fini(heap, &walks->left);
  vec_fini(heap, &walks->waiting);
  heap_release(heap, walks);
}

static void set_first(LockWalks *walks, uint32_t *number, uint32_t value, Marks *marks, Mark mark) {
  assert(value < *number); /* it only becomes earlier */
  if (*number == NONE) vec_push(walks->run->heap, marks, mark);
  *number = value;
}

void lock_walks_start(LockWalks *walks, uint32_t thread) {
  assert(thread < walks->run->n_threads);
  for (uint32_t i = 0; i < walks->entered.n; i++)
    walks->entry[walks->entered.at[i].layer][walks->entered.at[i].number] = NONE;
  for (uint32_t i = 0; i < walks->left.n; i++) walks->leaves[walks->left.at[i].layer][walks->left.at[i].number] = NONE;
  vec_clear(&walks->entered);
  vec_clear(&walks->left);
  vec_clear(&walks->waiting);
  walks->home = thread;
}

/* ---- along an edge ---- */

/* The first access of the group to which an edge can lead from the place, or NONE. */
static uint32_t first_in(const LockWalks *walks, LockPlace from, const LockGroup *group) {
  const uint32_t i = lock_group_find(group, strands_before(walks->order, from.thread, from.step, group->thread));
  return i < group->n ? group->steps[i] : NONE;
}

static void enter(LockWalks *walks, uint32_t layer, uint32_t thread, uint32_t step) {
  assert(layer < LAYERS && thread < walks->run->n_threads && thread != walks->home);
  uint32_t *entry = &walks->entry[layer][thread];
  const Mark mark = {layer, thread};
  if (step >= *entry) return;
  set_first(walks, entry, step, &walks->entered, mark);
  vec_push(walks->run->heap, &walks->waiting, mark);
}

enum { ALL = PIVOT_SETS }; /* edges, instead of those that lack a set of things */

/* From the place to the first rival access of each other thread that is not before it. ALL: within the layer. Else into
 * layer FREE, by edges whose second access has nothing outside of the set. */
static bool leave(LockWalks *walks, LockPlace place, uint32_t class, uint32_t layer, uint32_t lacks, uint64_t *budget) {
  const LockRun *run = walks->run;
  uint32_t from, to;
  lock_class_rivals(class, &from, &to);
  for (uint32_t g = run->class_groups[from]; g < run->class_groups[to + 1]; g++) {
    const LockGroup *group = &run->groups[g];
    const uint32_t thread = group->thread;
    if (*budget == 0) return false;
    --*budget;
    if (thread == place.thread || thread == walks->home) continue;
    if (lacks != ALL) group = lock_pivots_lacking(walks->pivots, group, true, (PIVOT_SETS - 1) ^ lacks);
    const uint32_t step = first_in(walks, place, group);
    if (step == NONE) continue;
    if (lacks != ALL && lock_pivots_ordered(walks->pivots, place, (LockPlace){thread, step})) continue;
    enter(walks, layer, thread, step);
  }
  return true;
}

/* By the accesses of the group that have nothing of the set, from one step to another, as far as they differ in what
 * forks and joins say of them. */
static bool leave_freely(LockWalks *walks, const LockGroup *all, uint32_t from, uint32_t to, uint32_t lacks,
                         uint64_t *budget) {
  const LockGroup *group = lock_pivots_lacking(walks->pivots, all, false, lacks);
  for (uint32_t i = lock_group_find(group, from); i < group->n && group->steps[i] < to;) {
    const LockPlace place = {group->thread, group->steps[i]};
    if (!leave(walks, place, group->class, FREE, lacks, budget)) return false;
    const uint32_t next = lock_pivots_next(walks->pivots, place);
    if (next == NONE) break;
    i = lock_group_find(group, next);
  }
  return true;
}

/* ---- through a thread ---- */

static bool leave_by(LockWalks *walks, uint32_t layer, uint32_t g, uint32_t from, uint64_t *budget) {
  const LockGroup *group = &walks->run->groups[g];
  const uint32_t i = lock_group_find(group, from);
  uint32_t *leaves = &walks->leaves[layer][g];
  const uint32_t before = *leaves;
  if (i == group->n || group->steps[i] >= before) return true;
  set_first(walks, leaves, group->steps[i], &walks->left, (Mark){layer, g});
  if (!leave(walks, (LockPlace){group->thread, group->steps[i]}, group->class, layer, ALL, budget)) return false;
  for (uint32_t lacks = 0; lacks < PIVOT_SETS && layer == KEPT; lacks++)
    if (!leave_freely(walks, group, from, before, lacks, budget)) return false;
  return true;
}

static bool go_on(LockWalks *walks, uint64_t *budget) {
  const LockRun *run = walks->run;
  while (walks->waiting.n > 0) {
    const Mark mark = walks->waiting.at[--walks->waiting.n];
    assert(walks->entry[mark.layer][mark.number] != NONE);
    const uint32_t from = lock_run_first(&run->threads[mark.number], walks->entry[mark.layer][mark.number]);
    for (uint32_t k = 0; k < run->n_thread_groups[mark.number]; k++) {
      if (*budget == 0) return false;
      --*budget;
      if (!leave_by(walks, mark.layer, run->thread_groups[mark.number][k], from, budget)) return false;
    }
  }
  return true;
}

bool lock_walks_leave(LockWalks *walks, LockPlace place, uint32_t class, uint64_t *budget) {
  const LockGroup *group = lock_run_group(walks->run, class, place.thread);
  if (!leave(walks, place, class, KEPT, ALL, budget)) return false;
  for (uint32_t lacks = 0; lacks < PIVOT_SETS; lacks++)
    if (lock_pivots_lack(walks->pivots, group, place.step, false, lacks) &&
        !leave(walks, place, class, FREE, lacks, budget))
      return false;
  return go_on(walks, budget);
}

/* ---- back ---- */

static bool is_before(const LockWalks *walks, LockPlace a, LockPlace b) {
  return strands_before(walks->order, b.thread, b.step, a.thread) > a.step;
}

/* Is there an access of the group, from a step on, from which an edge that the pivots do not keep can lead to the
 * place? */
static bool returns_freely(const LockWalks *walks, const LockGroup *group, uint32_t from, LockPlace place) {
  for (uint32_t i = lock_group_find(group, from); i < group->n;) {
    const LockPlace out = {group->thread, group->steps[i]};
    if (is_before(walks, place, out)) return false;
    if (!lock_pivots_ordered(walks->pivots, out, place)) return true;
    const uint32_t next = lock_pivots_next(walks->pivots, out);
    if (next == NONE) return false;
    i = lock_group_find(group, next);
  }
  return false;
}

bool lock_walks_return(const LockWalks *walks, LockPlace place, uint32_t class) {
  const LockRun *run = walks->run;
  const LockGroup *own = lock_run_group(run, class, place.thread);
  uint32_t from, to;
  lock_class_rivals(class, &from, &to);
  for (uint32_t g = run->class_groups[from]; g < run->class_groups[to + 1]; g++) {
    const LockGroup *group = &run->groups[g];
    const uint32_t step = walks->leaves[FREE][g], kept = walks->leaves[KEPT][g];
    if (step != NONE && !is_before(walks, place, (LockPlace){group->thread, step})) return true;
    for (uint32_t lacks = 0; lacks < PIVOT_SETS && kept != NONE; lacks++)
      if (lock_pivots_lack(walks->pivots, own, place.step, true, (PIVOT_SETS - 1) ^ lacks) &&
          returns_freely(walks, lock_pivots_lacking(walks->pivots, group, false, lacks), kept, place))
        return true;
  }
  return false;
}

bool lock_walks_enter(const LockWalks *walks, uint32_t thread, uint32_t step, bool free) {
  return step >= walks->entry[free ? FREE : KEPT][thread] && walks->entry[free ? FREE : KEPT][thread] != NONE;
}
