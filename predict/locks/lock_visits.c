#include "predict/locks/lock_visits.h"

#include "base/hash.h"
#include "predict/pairs.h"
#include "serial/hashes.h"

#include <assert.h>

/* Lists stay where they are while others are added. */
typedef struct {
  LockVisitList *list;
} KnownList;

struct LockVisits {
  const LockRun *run;
  bool by_place;
  Pairs known;          /* of groups */
  VEC(KnownList) lists; /* theirs */
  Hashes keys;          /* of the list that is made */
};

LockVisits *lock_visits_new(const LockRun *run, bool by_place) {
  LockVisits *visits = heap_zeroed(run->heap, sizeof *visits);
  visits->run = run;
  visits->by_place = by_place;
  return visits;
}

void lock_visits_free(LockVisits *visits) {
  if (!visits) return;
  Heap *heap = visits->run->heap;
  for (uint32_t i = 0; i < visits->lists.n; i++) {
    vec_fini(heap, visits->lists.at[i].list);
    heap_release(heap, visits->lists.at[i].list);
  }
  vec_fini(heap, &visits->lists);
  pairs_fini(heap, &visits->known);
  hashes_fini(heap, &visits->keys);
  heap_release(heap, visits);
}

static uint64_t place_of(const LockThread *thread, uint32_t step) {
  assert(step < thread->n);
  const LockStep *it = &thread->steps[step];
  return hash_join(it->location, lock_run_label(thread, it->transaction));
}

uint64_t lock_visit_place(const LockRun *run, const LockVisit *visit) {
  const LockThread *thread = &run->threads[visit->thread];
  const uint64_t split = visit->out < visit->in;
  return hash_join(hash_join(split, place_of(thread, visit->in)), place_of(thread, visit->out));
}

/* The stops before a step. Where some are in the part that matters, or where the search begins at the beginning of the
 * thread, the visit is like no other. */
static uint64_t hash_stops(const LockRun *run, const LockVisit *visit, uint32_t from, uint32_t to) {
  assert(from < to);
  const LockThread *thread = &run->threads[visit->thread];
  const uint32_t stage = lock_run_stage(thread, from);
  if (stage == lock_run_stage(thread, to - 1) && stage % 2 == 0 && (run->valid || run->plain || run->n_edges == 0))
    return stage;
  return hash_join(hash_join(stage, visit->in), visit->out);
}

uint64_t lock_visit_key(const LockRun *run, const LockVisit *visit, bool by_place) {
  const LockThread *thread = &run->threads[visit->thread];
  const uint32_t first = visit->in < visit->out ? visit->in : visit->out, last = visit->in + visit->out - first;
  const uint32_t from = thread->idle[first], idle = thread->next_idle[last + 1],
                 to = idle == TRACE_NONE ? thread->n : idle;
  uint64_t hash = hash_join(visit->out < visit->in, hash_stops(run, visit, from, to));
  hash = hash_join(hash, lock_run_hash(thread, from, first));
  hash = hash_join(hash, lock_run_hash(thread, first, last));
  hash = hash_join(hash, lock_run_hash(thread, last, to));
  return by_place ? hash_join(hash, lock_visit_place(run, visit)) : hash;
}

/* Where there are few, equal ones cost less than their keys. */
static void add(LockVisits *visits, LockVisitList *list, const LockVisit *visit, bool few) {
  Heap *heap = visits->run->heap;
  if (few || hashes_add(heap, &visits->keys, lock_visit_key(visits->run, visit, visits->by_place)))
    vec_push(heap, list, *visit);
}

/* Each access of `out` with the last one of `in` up to it, if no other one of `out` is between. */
static void add_forward(LockVisits *visits, LockVisitList *list, const LockGroup *in, const LockGroup *out, bool few) {
  for (uint32_t j = 0, i = 0; j < out->n; j++) {
    while (i < in->n && in->steps[i] <= out->steps[j]) i++;
    if (i == 0 || (j > 0 && in->steps[i - 1] <= out->steps[j - 1])) continue;
    add(visits, list, &(LockVisit){in->thread, in->steps[i - 1], out->steps[j]}, few);
  }
}

/* The first access of `out` in each transaction with each of `in` after it. */
static void add_split(LockVisits *visits, LockVisitList *list, const LockGroup *in, const LockGroup *out, bool few) {
  const LockStep *steps = visits->run->threads[in->thread].steps;
  for (uint32_t j = 0, i = 0; j < out->n; j++) {
    const uint32_t step = out->steps[j], transaction = steps[step].transaction;
    if (j > 0 && steps[out->steps[j - 1]].transaction == transaction) continue;
    while (i < in->n && in->steps[i] <= step) i++;
    for (uint32_t k = i; k < in->n && steps[in->steps[k]].transaction == transaction; k++)
      add(visits, list, &(LockVisit){in->thread, in->steps[k], step}, few);
    if (heap_asked(visits->run->heap) != STOP_NOT) return;
  }
}

void lock_visits_list(LockVisits *visits, const LockGroup *in, const LockGroup *out, LockVisitList *list) {
  assert(in->thread == out->thread);
  vec_clear(list);
  add_forward(visits, list, in, out, true);
  add_split(visits, list, in, out, true);
}

const LockVisitList *lock_visits_get(LockVisits *visits, const LockGroup *in, const LockGroup *out) {
  assert(in->thread == out->thread);
  Heap *heap = visits->run->heap;
  const uint32_t number =
      pairs_add(heap, &visits->known, (uint32_t)(in - visits->run->groups), (uint32_t)(out - visits->run->groups));
  if (number < visits->lists.n) return visits->lists.at[number].list;
  LockVisitList *list = heap_zeroed(heap, sizeof *list);
  const KnownList known = {list};
  vec_push(heap, &visits->lists, known);
  hashes_fini(heap, &visits->keys);
  add_forward(visits, list, in, out, false);
  add_split(visits, list, in, out, false);
  return list;
}
