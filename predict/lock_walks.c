#include "predict/lock_walks.h"

#define NONE UINT32_MAX

struct LockWalks {
  const LockRun *run;
  const LockOrder *order;
  uint32_t home;
  uint32_t *entry;  /* of each thread: the first step by which it is entered, or NONE */
  uint32_t *leaves; /* of each group: the first access by which it was left, or NONE */
  U32Vec entered, left; /* threads and groups for which these are set */
  U32Vec waiting;       /* threads whose entry has become earlier */
};

LockWalks *lock_walks_new(const LockRun *run, const LockOrder *order) {
  LockWalks *walks = heap_zeroed(run->heap, sizeof *walks);
  walks->run = run;
  walks->order = order;
  walks->entry = heap_alloc(run->heap, heap_product(run->heap, run->n_threads, sizeof *walks->entry));
  walks->leaves = heap_alloc(run->heap, heap_product(run->heap, run->n_groups, sizeof *walks->leaves));
  for (uint32_t t = 0; t < run->n_threads; t++) walks->entry[t] = NONE;
  for (uint32_t g = 0; g < run->n_groups; g++) walks->leaves[g] = NONE;
  return walks;
}

void lock_walks_free(LockWalks *walks) {
  if (!walks) return;
  Heap *heap = walks->run->heap;
  heap_release(heap, walks->entry);
  heap_release(heap, walks->leaves);
  vec_fini(heap, &walks->entered);
  vec_fini(heap, &walks->left);
  vec_fini(heap, &walks->waiting);
  heap_release(heap, walks);
}

void lock_walks_start(LockWalks *walks, uint32_t thread) {
  for (uint32_t i = 0; i < walks->entered.n; i++) walks->entry[walks->entered.at[i]] = NONE;
  for (uint32_t i = 0; i < walks->left.n; i++) walks->leaves[walks->left.at[i]] = NONE;
  vec_clear(&walks->entered);
  vec_clear(&walks->left);
  vec_clear(&walks->waiting);
  walks->home = thread;
}

/* A way leads from the place to the first rival access of each other thread that is not before it. */
static bool leave(LockWalks *walks, LockPlace place, uint32_t class, uint64_t *budget) {
  const LockRun *run = walks->run;
  uint32_t from, to;
  lock_class_rivals(class, &from, &to);
  for (uint32_t g = run->class_groups[from]; g < run->class_groups[to + 1]; g++) {
    const LockGroup *group = &run->groups[g];
    if (*budget == 0) return false;
    --*budget;
    if (group->thread == place.thread || group->thread == walks->home) continue;
    const uint32_t i = lock_group_find(group, lock_order_past(walks->order, place, group->thread));
    uint32_t *entry = &walks->entry[group->thread];
    if (i == group->n || group->steps[i] >= *entry) continue;
    if (*entry == NONE) vec_push(run->heap, &walks->entered, group->thread);
    *entry = group->steps[i];
    vec_push(run->heap, &walks->waiting, group->thread);
  }
  return true;
}

/* From the transaction of its entry on, a thread can be left by the first access of each group. */
static bool go_through(LockWalks *walks, uint32_t thread, uint64_t *budget) {
  const LockRun *run = walks->run;
  const uint32_t from = lock_run_first(&run->threads[thread], walks->entry[thread]);
  for (uint32_t k = 0; k < run->n_thread_groups[thread]; k++) {
    const uint32_t g = run->thread_groups[thread][k];
    const LockGroup *group = &run->groups[g];
    const uint32_t i = lock_group_find(group, from);
    if (*budget == 0) return false;
    --*budget;
    if (i == group->n || group->steps[i] >= walks->leaves[g]) continue;
    if (walks->leaves[g] == NONE) vec_push(run->heap, &walks->left, g);
    walks->leaves[g] = group->steps[i];
    if (!leave(walks, (LockPlace){thread, group->steps[i]}, group->class, budget)) return false;
  }
  return true;
}

bool lock_walks_leave(LockWalks *walks, LockPlace place, uint32_t class, uint64_t *budget) {
  if (!leave(walks, place, class, budget)) return false;
  while (walks->waiting.n > 0) {
    const uint32_t thread = walks->waiting.at[--walks->waiting.n];
    if (!go_through(walks, thread, budget)) return false;
  }
  return true;
}

bool lock_walks_return(const LockWalks *walks, LockPlace place, uint32_t class) {
  const LockRun *run = walks->run;
  uint32_t from, to;
  lock_class_rivals(class, &from, &to);
  for (uint32_t g = run->class_groups[from]; g < run->class_groups[to + 1]; g++) {
    const LockGroup *group = &run->groups[g];
    const uint32_t step = walks->leaves[g];
    if (step == NONE) continue;
    if (lock_order_past(walks->order, (LockPlace){group->thread, step}, place.thread) <= place.step) return true;
  }
  return false;
}

bool lock_walks_enter(const LockWalks *walks, uint32_t thread, uint32_t step) {
  return walks->entry[thread] != NONE && step >= walks->entry[thread];
}
