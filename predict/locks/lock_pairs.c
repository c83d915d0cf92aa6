#include "predict/locks/lock_pairs.h"

#include "base/hash.h"
#include "base/sort.h"
#include "predict/locks/lock_closure.h"
#include "predict/locks/lock_held.h"
#include "predict/locks/lock_sweep.h"
#include "serial/hashes.h"

#include <assert.h>
#include <stdlib.h>

enum { FEW = 16 }; /* accesses, of which visits are listed anew each time */

/* The split transaction is left by `out`, and the other visit entered by `in`, left by the one that is common to all.
 */
typedef struct {
  uint32_t out;
  LockVisit other;
} Candidate;

typedef struct {
  const LockRun *run;
  Heap *heap;
  Strands *order;
  LockDecider *decider;
  LockClosure *closure;
  LockSweep *sweep;
  LockVisits *visits;
  uint64_t *budget;
  LockFound *found;
  LockPairCount count;
  Hashes transactions, refused;
  LockHeld held; /* since the first access of the transaction */
  VEC(LockTie) ties;
  VEC(Candidate) candidates;
  LockVisitList few;
  uint32_t thread, begin, end; /* the transaction */
} PairFinder;

/* ---- transactions ---- */

uint32_t lock_transaction_end(const LockThread *thread, uint32_t begin) {
  uint32_t end = begin + 1;
  while (end < thread->n && thread->steps[end].transaction == thread->steps[begin].transaction) end++;
  return end;
}

uint64_t lock_transaction_key(const LockRun *run, uint32_t t, uint32_t begin, uint32_t end, bool by_place) {
  const LockThread *thread = &run->threads[t];
  uint64_t hash = hash_join(t, lock_visit_key(run, &(LockVisit){t, begin, end - 1}, false));
  for (uint32_t step = begin; step < end; step++) {
    const LockStep *it = &thread->steps[step];
    hash = hash_join(hash, (uint64_t)it->object << 8 | it->op);
    if (by_place) hash = hash_join(hash, it->location);
  }
  return by_place ? hash_join(hash, lock_run_label(thread, thread->steps[begin].transaction)) : hash;
}

/* ---- one pair ---- */

static bool is_over(const PairFinder *f) { return heap_asked(f->heap) != STOP_NOT; }

static bool order_allows(PairFinder *f, const LockVisit *a, const LockVisit *b) {
  return strands_before(f->order, a->thread, a->out, b->thread) <= b->in &&
         strands_before(f->order, b->thread, b->out, a->thread) <= a->in;
}

static uint64_t key_of(const PairFinder *f, const LockVisit *visits) {
  const uint64_t threads = (uint64_t)visits[0].thread << 32 | visits[1].thread;
  const uint64_t hash = hash_join(threads, lock_visit_key(f->run, &visits[0], f->found->all));
  return hash_join(hash, lock_visit_key(f->run, &visits[1], f->found->all));
}

/* True if the search is to go on. */
static bool decide(PairFinder *f, const LockVisit *visits) {
  Schedule schedule = {0};
  if (lock_found_has(f->found, visits, 2) || !hashes_add(f->heap, &f->refused, key_of(f, visits))) return true;
  const LockAnswer answer = lock_decide(f->decider, visits, 2, f->budget, &schedule);
  if (answer == LOCK_UNDECIDED) f->count.undecided++;
  else f->count.decided++;
  if (answer != LOCK_POSSIBLE) return !is_over(f);
  lock_found_add(f->found, visits, 2, &schedule);
  return f->found->all && *f->budget > 0;
}

/* ---- all visits that leave the other thread by one access ---- */

static int by_out(const void *a, const void *b) {
  const Candidate *x = a, *y = b;
  if (x->other.out != y->other.out) return x->other.out < y->other.out ? -1 : 1;
  if (x->out != y->out) return x->out < y->out ? -1 : 1;
  return (x->other.in > y->other.in) - (x->other.in < y->other.in);
}

/* The most that one of the candidates allows, for the step by which any of them leaves first; and the earliest
 * beginning of the other thread. */
static LockDemand demand_of(const PairFinder *f, const Candidate *at, uint32_t n, uint32_t in) {
  const LockThread *a = &f->run->threads[f->thread], *b = &f->run->threads[at->other.thread];
  LockDemand demand = {f->thread,         a->idle[at->out], in, at->other.thread, b->idle[at->other.out],
                       at->other.out + 1, at->out,          0};
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t idle = b->idle[lock_visit_first(&at[i].other)];
    if (idle < demand.from_b) demand.from_b = idle;
    if (at[i].other.in > demand.most) demand.most = at[i].other.in;
  }
  return demand;
}

/* Leaves those that the least numbers allow; how many. */
static uint32_t refuse(PairFinder *f, Candidate *at, uint32_t n, uint32_t in) {
  const LockDemand demand = demand_of(f, at, n, in);
  uint32_t left = 0;
  if (lock_closure_solve(f->closure, &demand))
    for (uint32_t i = 0; i < n; i++)
      if (lock_closure_before(f->closure, at[i].out) <= at[i].other.in) at[left++] = at[i];
  f->count.decided += n - left;
  return left;
}

static bool decide_some(PairFinder *f, Candidate *at, uint32_t n, uint32_t in) {
  const uint32_t left = refuse(f, at, n, in);
  for (uint32_t i = 0; i < left; i++) {
    const LockVisit visits[] = {{f->thread, in, at[i].out}, at[i].other};
    if (order_allows(f, &visits[0], &visits[1]) && !decide(f, visits)) return false;
  }
  return !is_over(f);
}

static bool decide_all(PairFinder *f, uint32_t in) {
  const uint32_t n = f->candidates.n;
  if (n) qsort(f->candidates.at, n, sizeof *f->candidates.at, by_out);
  for (uint32_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && f->candidates.at[end].other.out == f->candidates.at[i].other.out;) end++;
    if (!decide_some(f, f->candidates.at + i, end - i, in)) return false;
  }
  return true;
}

/* ---- a transaction ---- */

static bool is_first(const PairFinder *f, uint32_t class, uint32_t step) {
  const LockGroup *group = lock_run_group(f->run, class, f->thread);
  assert(group);
  return group->steps[lock_group_find(group, f->begin)] == step;
}

/* The step's ties by a class; is there one by which it can be entered? */
static bool tie(PairFinder *f, uint32_t step, uint32_t class, bool left) {
  const LockRun *run = f->run;
  uint32_t from, to;
  bool enters = false;
  const bool first = is_first(f, class, step);
  lock_class_rivals(class, &from, &to);
  for (uint32_t g = run->class_groups[from]; g < run->class_groups[to + 1]; g++) {
    const LockGroup *group = &run->groups[g];
    if (group->thread == f->thread) continue;
    const LockTie tie = {group->thread, step, g, first, left && lock_held_avoids_any(&f->held, group)};
    enters |= tie.enters;
    if (tie.first || tie.enters) vec_push(f->heap, &f->ties, tie);
  }
  return enters;
}

/* True if the transaction can be entered again after it was left. */
static bool find_ties(PairFinder *f) {
  const LockThread *thread = &f->run->threads[f->thread];
  bool left = false, returns = false;
  uint32_t class;
  vec_clear(&f->ties);
  lock_held_begin(&f->held, thread->held[f->begin]);
  for (uint32_t step = f->begin; step < f->end; step++) {
    lock_held_pass(&f->held, &thread->steps[step]);
    if (!left) lock_held_begin(&f->held, thread->held[step]);
    for (uint32_t i = 0; lock_run_class(thread, step, i, &class); i++) returns |= tie(f, step, class, left);
    left |= lock_run_class(thread, step, 0, &class);
  }
  return returns;
}

static int by_thread(const void *a, const void *b) {
  const LockTie *x = a, *y = b;
  if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
  if (x->step != y->step) return x->step < y->step ? -1 : 1;
  return (x->group > y->group) - (x->group < y->group);
}

static void list_candidates(PairFinder *f, const LockTie *out, const LockTie *in) {
  const LockGroup *enter = &f->run->groups[out->group], *leave = &f->run->groups[in->group];
  const LockVisitList *list = &f->few;
  if (enter->n + leave->n <= FEW) lock_visits_list(f->visits, enter, leave, &f->few);
  else list = lock_visits_get(f->visits, enter, leave);
  for (uint32_t i = 0; i < list->n; i++) {
    const Candidate candidate = {out->step, list->at[i]};
    vec_push(f->heap, &f->candidates, candidate);
  }
}

/* With one other thread. */
static bool try_thread(PairFinder *f, const LockTie *ties, uint32_t n) {
  if (n > 1 && lock_sweep_refuses(f->sweep, f->thread, ties, n)) return f->count.decided++, true;
  for (uint32_t in = 0; in < n; in++) {
    if (!ties[in].enters) continue;
    vec_clear(&f->candidates);
    for (uint32_t out = 0; out < in && ties[out].step < ties[in].step; out++)
      if (ties[out].first) list_candidates(f, &ties[out], &ties[in]);
    if (is_over(f) || !decide_all(f, ties[in].step)) return false;
  }
  return true;
}

static bool try_transaction(PairFinder *f) {
  if (is_over(f)) return false;
  const uint64_t key = lock_transaction_key(f->run, f->thread, f->begin, f->end, f->found->all);
  if (!hashes_add(f->heap, &f->transactions, key) || !find_ties(f)) return true;
  const uint32_t n = f->ties.n;
  qsort(f->ties.at, n, sizeof *f->ties.at, by_thread);
  for (uint32_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && f->ties.at[end].thread == f->ties.at[i].thread;) end++;
    if (!try_thread(f, f->ties.at + i, end - i)) return false;
  }
  return true;
}

static bool try_all(PairFinder *f) {
  for (f->thread = 0; f->thread < f->run->n_threads; f->thread++) {
    const LockThread *thread = &f->run->threads[f->thread];
    for (f->begin = 0; f->begin < thread->n; f->begin = f->end) {
      f->end = lock_transaction_end(thread, f->begin);
      if (f->end > f->begin + 1 && !try_transaction(f)) return false;
    }
  }
  return true;
}

LockPairCount lock_pairs_find(const LockRun *run, Strands *order, LockDecider *decider, LockVisits *visits,
                              uint64_t *budget, LockFound *found) {
  PairFinder f = {.run = run,
                  .heap = run->heap,
                  .order = order,
                  .decider = decider,
                  .closure = lock_decider_closure(decider),
                  .sweep = lock_sweep_new(lock_decider_closure(decider)),
                  .visits = visits,
                  .budget = budget,
                  .found = found,
                  .held.run = run};
  f.count.complete = try_all(&f);
  hashes_fini(f.heap, &f.transactions);
  hashes_fini(f.heap, &f.refused);
  lock_sweep_free(f.sweep);
  lock_held_fini(&f.held);
  vec_fini(f.heap, &f.ties);
  vec_fini(f.heap, &f.candidates);
  vec_fini(f.heap, &f.few);
  return f.count;
}
