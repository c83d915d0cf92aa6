#include "predict/locks/lock_found.h"

#include "base/hash.h"

#include <assert.h>

void lock_found_fini(LockFound *found) {
  pairs_fini(found->run->heap, &found->places);
  pairs_fini(found->run->heap, &found->explained);
}

static bool has_hash(const Pairs *set, uint64_t hash) {
  return pairs_have(set, (uint32_t)(hash >> 32), (uint32_t)hash);
}

static void add_hash(Heap *heap, Pairs *set, uint64_t hash) {
  pairs_add(heap, set, (uint32_t)(hash >> 32), (uint32_t)hash);
}

/* Of the places, wherever the cycle begins. */
static uint64_t turn_hash(const LockFound *found, const LockVisit *visits, uint32_t n) {
  uint64_t least = UINT64_MAX;
  for (uint32_t turn = 0; turn < n; turn++) {
    uint64_t hash = n;
    for (uint32_t i = 0; i < n; i++) hash = hash_join(hash, lock_visit_place(found->run, &visits[(turn + i) % n]));
    if (hash < least) least = hash;
  }
  return least;
}

bool lock_found_has(const LockFound *found, const LockVisit *visits, uint32_t n) {
  return found->all && found->cycles.n && has_hash(&found->places, turn_hash(found, visits, n));
}

bool lock_found_explains(const LockFound *found, const LockVisit *split) {
  return found->all && has_hash(&found->explained, lock_visit_place(found->run, split));
}

void lock_found_add(LockFound *found, const LockVisit *visits, uint32_t n, const Schedule *schedule) {
  assert(n >= 2 && schedule->n > 0);
  Heap *heap = found->run->heap;
  Cycle cycle = {n, heap_alloc(heap, n * sizeof *cycle.visits)};
  for (uint32_t i = 0; i < n; i++) {
    const LockThread *thread = &found->run->threads[visits[i].thread];
    cycle.visits[i] =
        (CycleVisit){thread->number, thread->steps[visits[i].in].event, thread->steps[visits[i].out].event};
  }
  vec_push(heap, &found->cycles, cycle);
  vec_push(heap, &found->schedules, *schedule);
  if (!found->all) return;
  add_hash(heap, &found->places, turn_hash(found, visits, n));
  for (uint32_t i = 0; i < n; i++)
    if (visits[i].out < visits[i].in) add_hash(heap, &found->explained, lock_visit_place(found->run, &visits[i]));
}
