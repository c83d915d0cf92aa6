#include "predict/locks/lock_cycles.h"

#include "base/hash.h"
#include "predict/locks/lock_decide.h"
#include "predict/locks/lock_visits.h"
#include "predict/locks/lock_walks.h"
#include "predict/pairs.h"
#include "serial/hashes.h"

#include <assert.h>

#define NONE UINT32_MAX

enum { PART_OF_BUDGET = 16 }; /* that one search may use of what is left */

typedef struct {
  const LockRun *run;
  Heap *heap;
  bool all;
  uint64_t *budget;
  Strands order;
  LockPivots *pivots;
  LockDecider *decider;
  LockVisits *visits;
  LockWalks *walks;
  uint32_t max_threads; /* 0: no limit */
  uint32_t length;      /* of the cycles that are looked for */
  bool longer;          /* there may be longer ones */
  LockCycleCount count;
  CycleList *cycles;
  ScheduleList *schedules;
  Pairs found;          /* cycles by their places: the halves of hashes */
  Pairs explained;      /* splits by their places, that are part of a found cycle */
  Hashes tried;         /* transactions, then splits of the present length */
  bool *used;           /* threads of the path */
  LockVisitList path;   /* the split transaction, then the visits that lead to it, back from it */
  U32Vec classes;       /* by which they are entered */
  LockVisitList turned; /* the same as the cycle goes */
  uint32_t home_class;  /* by which the split transaction is left */
  U32Vec held;          /* locks that it holds all the time */
} Finder;

/* ---- one cycle ---- */

static bool has_hash(const Pairs *set, uint64_t hash) {
  return pairs_have(set, (uint32_t)(hash >> 32), (uint32_t)hash);
}

static void add_hash(Finder *f, Pairs *set, uint64_t hash) {
  pairs_add(f->heap, set, (uint32_t)(hash >> 32), (uint32_t)hash);
}

static uint64_t turn_hash(const Finder *f, const LockVisitList *visits) {
  uint64_t least = UINT64_MAX;
  for (uint32_t turn = 0; turn < visits->n; turn++) {
    uint64_t hash = visits->n;
    for (uint32_t i = 0; i < visits->n; i++)
      hash = hash_join(hash, lock_visit_place(f->run, &visits->at[(turn + i) % visits->n]));
    if (hash < least) least = hash;
  }
  return least;
}

/* Is `in` of no visit before `out` of the one before it? */
static bool order_allows(Finder *f, const LockVisitList *visits) {
  for (uint32_t i = 0; i < visits->n; i++) {
    const LockVisit *from = &visits->at[i], *to = &visits->at[(i + 1) % visits->n];
    if (strands_before(&f->order, from->thread, from->out, to->thread) > to->in) return false;
  }
  return true;
}

static void explain(Finder *f, const LockVisitList *visits) {
  for (uint32_t i = 0; i < visits->n; i++)
    if (visits->at[i].out < visits->at[i].in) add_hash(f, &f->explained, lock_visit_place(f->run, &visits->at[i]));
}

static void keep(Finder *f, const LockVisitList *visits, const Schedule *schedule) {
  assert(visits->n >= 2 && schedule->n > 0);
  Cycle cycle = {visits->n, heap_alloc(f->heap, visits->n * sizeof *cycle.visits)};
  for (uint32_t i = 0; i < visits->n; i++) {
    const LockThread *thread = &f->run->threads[visits->at[i].thread];
    cycle.visits[i] =
        (CycleVisit){thread->number, thread->steps[visits->at[i].in].event, thread->steps[visits->at[i].out].event};
  }
  vec_push(f->heap, f->cycles, cycle);
  vec_push(f->heap, f->schedules, *schedule);
}

static bool is_over(const Finder *f) {
  if (heap_asked(f->heap) != STOP_NOT) *f->budget = 0;
  return *f->budget == 0;
}

/* True if the search is to go on. */
static bool decide(Finder *f) {
  assert(f->path.n == f->length && f->classes.n == f->path.n);
  LockVisitList *visits = &f->turned;
  vec_clear(visits);
  for (uint32_t i = f->path.n; i-- > 0;) vec_push(f->heap, visits, f->path.at[(i + 1) % f->path.n]);
  if (!order_allows(f, visits)) return true;
  const uint64_t place = f->all ? turn_hash(f, visits) : 0;
  if (f->all && has_hash(&f->found, place)) return true;
  uint64_t part = *f->budget / PART_OF_BUDGET;
  if (part < 1000) part = *f->budget;
  *f->budget -= part;
  Schedule schedule = {0};
  const LockAnswer answer = lock_decide(f->decider, visits->at, visits->n, &part, &schedule);
  *f->budget += part;
  if (answer == LOCK_UNDECIDED) f->count.undecided++;
  else f->count.decided++;
  if (answer != LOCK_POSSIBLE) return true;
  keep(f, visits, &schedule);
  if (f->all) add_hash(f, &f->found, place), explain(f, visits);
  return f->all;
}

/* ---- the way back to the split transaction ---- */

static bool avoids_set(const Finder *f, uint32_t set) {
  for (uint32_t i = 0; i < f->held.n; i++)
    if (lock_set_has(f->run, set, f->held.at[i])) return false;
  return true;
}

static bool avoids(const Finder *f, LockPlace place) {
  return avoids_set(f, f->run->threads[place.thread].held[place.step]);
}

/* Can another thread have a rival access while the split transaction is split? */
static bool has_rival(const Finder *f, uint32_t thread, uint32_t class) {
  uint32_t from, to;
  lock_class_rivals(class, &from, &to);
  for (uint32_t g = f->run->class_groups[from]; g < f->run->class_groups[to + 1]; g++) {
    const LockGroup *group = &f->run->groups[g];
    for (uint32_t i = 0; i < group->n_sets && group->thread != thread; i++)
      if (avoids_set(f, group->sets[i])) return true;
  }
  return false;
}

/* What is known of the path. */
typedef struct {
  bool inside; /* nothing split lies between its end and home */
  bool free;   /* the pivots do not keep all of its edges */
} Trail;

static bool extend(Finder *f, Trail trail);

/* May the visit come before the path, and what is then known of it? */
static bool may_precede(const Finder *f, const LockVisit *visit, Trail *trail) {
  const LockVisit *next = &vec_last(&f->path), *home = &f->path.at[0];
  const LockPlace out = {visit->thread, visit->out}, in = {visit->thread, visit->in}, to = {next->thread, next->in};
  const bool split = visit->out < visit->in;
  if (trail->inside && (!avoids(f, out) || (!split && !avoids(f, in)))) return false;
  trail->inside &= !split;
  trail->free |= !lock_pivots_keep(f->pivots, out, to, vec_last(&f->classes));
  if (f->path.n + 1 == f->length)
    return trail->free || !lock_pivots_keep(f->pivots, (LockPlace){home->thread, home->out}, in, f->home_class);
  return lock_walks_enter(f->walks, visit->thread, visit->in, !trail->free);
}

/* The visits that enter by `in` and leave by `out`, each as the next one back. */
static bool extend_by(Finder *f, const LockGroup *in, const LockGroup *out, Trail trail) {
  const LockVisitList *list = lock_visits_get(f->visits, in, out, f->budget);
  for (uint32_t i = 0; list && i < list->n; i++) {
    const LockVisit visit = list->at[i];
    Trail longer = trail;
    if (is_over(f)) return false;
    --*f->budget;
    if (!may_precede(f, &visit, &longer)) continue;
    vec_push(f->heap, &f->path, visit);
    vec_push(f->heap, &f->classes, in->class);
    const bool on = f->path.n == f->length ? decide(f) : extend(f, longer);
    f->path.n--;
    f->classes.n--;
    if (!on) return false;
  }
  return list != NULL;
}

/* All ways to leave the thread by `out`. */
static bool extend_through(Finder *f, const LockGroup *out, Trail trail) {
  const LockRun *run = f->run;
  const uint32_t thread = out->thread;
  if (f->path.n + 1 < f->length) {
    for (uint32_t k = 0; k < run->n_thread_groups[thread]; k++)
      if (!extend_by(f, &run->groups[run->thread_groups[thread][k]], out, trail)) return false;
    return true;
  }
  uint32_t from, to;
  f->longer = true;
  lock_class_rivals(f->home_class, &from, &to);
  for (uint32_t class = from; class <= to; class ++) {
    const LockGroup *in = lock_run_group(run, class, thread);
    if (in && !extend_by(f, in, out, trail)) return false;
  }
  return true;
}

/* From another thread to the access by which the last visit enters. */
static bool extend(Finder *f, Trail trail) {
  const LockRun *run = f->run;
  assert(f->path.n > 0 && f->path.n < f->length);
  uint32_t from, to;
  lock_class_rivals(vec_last(&f->classes), &from, &to);
  for (uint32_t g = run->class_groups[from]; g < run->class_groups[to + 1]; g++) {
    const LockGroup *out = &run->groups[g];
    if (is_over(f)) return false;
    --*f->budget;
    if (f->used[out->thread]) continue;
    f->used[out->thread] = true;
    const bool on = extend_through(f, out, trail);
    f->used[out->thread] = false;
    if (!on) return false;
  }
  return true;
}

/* ---- split transactions ---- */

static bool try_split(Finder *f, const LockVisit *home, uint32_t in_class) {
  assert(home->out < home->in && !f->used[home->thread]);
  const uint64_t classes = (uint64_t)in_class << 32 | f->home_class;
  const uint64_t key = hash_join(hash_join(classes, home->thread), lock_visit_key(f->run, home, f->all));
  if (!hashes_add(f->heap, &f->tried, key)) return true;
  if (f->all && has_hash(&f->explained, lock_visit_place(f->run, home)) && f->length > 2) return true;
  vec_clear(&f->path);
  vec_clear(&f->classes);
  vec_push(f->heap, &f->path, *home);
  vec_push(f->heap, &f->classes, in_class);
  f->used[home->thread] = true;
  const bool on = extend(f, (Trail){true, false});
  f->used[home->thread] = false;
  return on;
}

static void drop_lock(Finder *f, uint32_t lock) {
  for (uint32_t i = 0; i < f->held.n; i++)
    if (f->held.at[i] == lock) f->held.at[i--] = vec_last(&f->held), f->held.n--;
}

static void hold(Finder *f, uint32_t set) {
  vec_clear(&f->held);
  for (; set; set = f->run->sets.at[set].rest) vec_push(f->heap, &f->held, f->run->sets.at[set].lock);
}

/* The ways back in, after the step by which the transaction is left. */
static bool try_leaving(Finder *f, LockPlace out, uint32_t end) {
  const LockThread *thread = &f->run->threads[out.thread];
  hold(f, thread->held[out.step]);
  for (uint32_t step = out.step + 1; step < end; step++) {
    uint32_t class;
    if (thread->steps[step].op == STEP_RELEASE) drop_lock(f, thread->steps[step].object);
    if (is_over(f)) return false;
    --*f->budget;
    for (uint32_t i = 0; lock_run_class(thread, step, i, &class); i++)
      if (has_rival(f, out.thread, class) && lock_walks_return(f->walks, (LockPlace){out.thread, step}, class) &&
          !try_split(f, &(LockVisit){out.thread, step, out.step}, class))
        return false;
  }
  return true;
}

static bool is_first(const Finder *f, uint32_t class, LockPlace place, uint32_t begin) {
  const LockGroup *group = lock_run_group(f->run, class, place.thread);
  assert(group);
  return group->steps[lock_group_find(group, begin)] == place.step;
}

/* Has the transaction an access that other threads can rival while it holds what it has held since its beginning? */
static bool can_return(Finder *f, uint32_t t, uint32_t begin, uint32_t end) {
  const LockThread *thread = &f->run->threads[t];
  uint32_t class;
  hold(f, thread->held[begin]);
  bool left = false;
  for (uint32_t step = begin; step < end; step++) {
    if (thread->steps[step].op == STEP_RELEASE) drop_lock(f, thread->steps[step].object);
    if (!left) hold(f, thread->held[step]);
    for (uint32_t i = 0; left && lock_run_class(thread, step, i, &class); i++)
      if (has_rival(f, t, class)) return true;
    left |= lock_run_class(thread, step, 0, &class);
  }
  return false;
}

/* Can a cycle come back to the transaction at all? */
static bool walk(Finder *f, uint32_t t, uint32_t begin, uint32_t end, bool *returns) {
  const LockThread *thread = &f->run->threads[t];
  uint32_t class;
  *returns = false;
  lock_walks_start(f->walks, t);
  for (uint32_t step = begin; step < end; step++) {
    const LockPlace place = {t, step};
    for (uint32_t i = 0; lock_run_class(thread, step, i, &class); i++)
      *returns |= lock_walks_return(f->walks, place, class);
    for (uint32_t i = 0; lock_run_class(thread, step, i, &class); i++)
      if (is_first(f, class, place, begin) && !lock_walks_leave(f->walks, place, class, f->budget)) return false;
  }
  return true;
}

static uint64_t hash_transaction(const Finder *f, uint32_t t, uint32_t begin, uint32_t end) {
  const LockThread *thread = &f->run->threads[t];
  uint64_t hash = hash_join(t, lock_visit_key(f->run, &(LockVisit){t, begin, end - 1}, false));
  for (uint32_t step = begin; step < end; step++) {
    const LockStep *it = &thread->steps[step];
    hash = hash_join(hash, (uint64_t)it->object << 8 | it->op);
    if (f->all) hash = hash_join(hash, it->location);
  }
  return f->all ? hash_join(hash, lock_run_label(thread, thread->steps[begin].transaction)) : hash;
}

static bool try_transaction(Finder *f, uint32_t t, uint32_t begin, uint32_t end) {
  const LockThread *thread = &f->run->threads[t];
  bool returns;
  if (*f->budget < end - begin) return *f->budget = 0, false;
  if (!hashes_add(f->heap, &f->tried, hash_transaction(f, t, begin, end))) return true;
  *f->budget -= end - begin;
  if (!can_return(f, t, begin, end)) return true;
  if (!walk(f, t, begin, end, &returns)) return false;
  for (uint32_t step = begin; step + 1 < end && returns; step++)
    for (uint32_t i = 0; lock_run_class(thread, step, i, &f->home_class); i++)
      if (is_first(f, f->home_class, (LockPlace){t, step}, begin) && !try_leaving(f, (LockPlace){t, step}, end))
        return false;
  return true;
}

static bool try_thread(Finder *f, uint32_t t) {
  const LockThread *thread = &f->run->threads[t];
  for (uint32_t begin = 0, end; begin < thread->n; begin = end) {
    for (end = begin + 1; end < thread->n && thread->steps[end].transaction == thread->steps[begin].transaction;) end++;
    if (end > begin + 1 && !try_transaction(f, t, begin, end)) return false;
  }
  return true;
}

/* ---- lengths ---- */

static bool try_length(Finder *f, uint32_t length) {
  f->length = length;
  f->longer = false;
  hashes_fini(f->heap, &f->tried);
  for (uint32_t t = 0; t < f->run->n_threads; t++)
    if (!try_thread(f, t)) return false;
  return true;
}

static void try_lengths(Finder *f) {
  f->count.length = f->count.clear = 1;
  for (uint32_t length = 2; try_length(f, length); length++) {
    f->count.length = length;
    if (f->cycles->n == 0 && f->count.undecided == 0) f->count.clear = length;
    f->count.complete = (!f->longer || length == f->max_threads) && f->count.undecided == 0;
    if (!f->longer || length == f->max_threads) return;
  }
}

/* There are no cycles through more threads than there are. */
static void sum_up(Finder *f) {
  if (!f->count.complete || f->longer) return;
  f->count.length = f->run->n_threads;
  if (f->cycles->n == 0) f->count.clear = f->run->n_threads;
}

LockCycleCount lock_cycles_find(const LockRun *run, const PredictOptions *options, CycleList *cycles,
                                ScheduleList *schedules) {
  const bool all = options->all;
  uint64_t budget = options->budget ? options->budget : UINT64_MAX;
  Finder f = {.run = run,
              .heap = run->heap,
              .all = all,
              .budget = &budget,
              .cycles = cycles,
              .schedules = schedules,
              .max_threads = options->max_threads};
  f.order = lock_run_order(run);
  f.decider = lock_decider_new(run, &f.order);
  f.visits = lock_visits_new(run, all);
  f.pivots = lock_pivots_new(run, &f.order);
  f.walks = lock_walks_new(run, &f.order, f.pivots);
  f.used = heap_zeroed(run->heap, run->n_threads);
  if (lock_pivots_any_loose(f.pivots)) try_lengths(&f);
  else f.count.complete = true;
  sum_up(&f);
  lock_walks_free(f.walks);
  lock_pivots_free(f.pivots);
  lock_visits_free(f.visits);
  lock_decider_free(f.decider);
  strands_fini(&f.order);
  heap_release(run->heap, f.used);
  vec_fini(run->heap, &f.path);
  vec_fini(run->heap, &f.classes);
  vec_fini(run->heap, &f.turned);
  vec_fini(run->heap, &f.held);
  pairs_fini(run->heap, &f.found);
  pairs_fini(run->heap, &f.explained);
  hashes_fini(run->heap, &f.tried);
  return f.count;
}
