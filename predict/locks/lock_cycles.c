#include "predict/locks/lock_cycles.h"

#include "base/hash.h"
#include "predict/locks/lock_held.h"
#include "predict/locks/lock_pairs.h"
#include "predict/locks/lock_walks.h"
#include "serial/hashes.h"

#include <assert.h>

#define NONE UINT32_MAX

enum {
  PART_OF_BUDGET = 16, /* that one search may use of what is left */
  PART_OF_WALKS = 4    /* that walks may use of all */
};

typedef struct {
  const LockCycleQuestion *question;
  const LockRun *run;
  Heap *heap;
  LockFound *found;
  uint64_t *budget;
  uint64_t for_walks; /* what walks may still use; where that is not enough, nothing is left out by them */
  LockWalks *walks;
  uint32_t length; /* of the cycles that are looked for */
  bool longer;     /* there may be longer ones */
  LockCycleCount count;
  Hashes tried;         /* transactions, then splits of the present length */
  bool *used;           /* threads of the path */
  LockVisitList path;   /* the split transaction, then the visits that lead to it, back from it */
  U32Vec classes;       /* by which they are entered */
  LockVisitList turned; /* the same as the cycle goes */
  uint32_t home_class;  /* by which the split transaction is left */
  LockHeld held;        /* what it holds all the time */
} Finder;

/* ---- one cycle ---- */

/* Is `in` of no visit before `out` of the one before it? */
static bool order_allows(Finder *f, const LockVisitList *visits) {
  for (uint32_t i = 0; i < visits->n; i++) {
    const LockVisit *from = &visits->at[i], *to = &visits->at[(i + 1) % visits->n];
    if (strands_before(f->question->order, from->thread, from->out, to->thread) > to->in) return false;
  }
  return true;
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
  if (lock_found_has(f->found, visits->at, visits->n)) return true;
  uint64_t part = *f->budget / PART_OF_BUDGET;
  if (part < 1000) part = *f->budget;
  *f->budget -= part;
  Schedule schedule = {0};
  const LockAnswer answer = lock_decide(f->question->decider, visits->at, visits->n, &part, &schedule);
  *f->budget += part;
  if (answer == LOCK_UNDECIDED) f->count.undecided++;
  else f->count.decided++;
  if (answer != LOCK_POSSIBLE) return true;
  lock_found_add(f->found, visits->at, visits->n, &schedule);
  return f->found->all;
}

/* ---- the way back to the split transaction ---- */

static bool avoids(const Finder *f, LockPlace place) {
  return lock_held_avoids(&f->held, f->run->threads[place.thread].held[place.step]);
}

/* Can another thread have a rival access while the split transaction is split? */
static bool has_rival(const Finder *f, uint32_t thread, uint32_t class) {
  uint32_t from, to;
  lock_class_rivals(class, &from, &to);
  for (uint32_t g = f->run->class_groups[from]; g < f->run->class_groups[to + 1]; g++) {
    const LockGroup *group = &f->run->groups[g];
    if (group->thread != thread && lock_held_avoids_any(&f->held, group)) return true;
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
  trail->free |= !lock_pivots_keep(f->question->pivots, out, to, vec_last(&f->classes));
  if (f->path.n + 1 == f->length)
    return trail->free ||
           !lock_pivots_keep(f->question->pivots, (LockPlace){home->thread, home->out}, in, f->home_class);
  return !f->for_walks || lock_walks_enter(f->walks, visit->thread, visit->in, !trail->free);
}

/* The visits that enter by `in` and leave by `out`, each as the next one back. */
static bool extend_by(Finder *f, const LockGroup *in, const LockGroup *out, Trail trail) {
  const LockVisitList *list = lock_visits_get(f->question->visits, in, out);
  for (uint32_t i = 0; i < list->n; i++) {
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
  return true;
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
  const uint64_t key = hash_join(hash_join(classes, home->thread), lock_visit_key(f->run, home, f->found->all));
  if (!hashes_add(f->heap, &f->tried, key)) return true;
  if (lock_found_explains(f->found, home)) return true;
  vec_clear(&f->path);
  vec_clear(&f->classes);
  vec_push(f->heap, &f->path, *home);
  vec_push(f->heap, &f->classes, in_class);
  f->used[home->thread] = true;
  const bool on = extend(f, (Trail){true, false});
  f->used[home->thread] = false;
  return on;
}

static bool returns(const Finder *f, LockPlace place, uint32_t class) {
  return !f->for_walks || lock_walks_return(f->walks, place, class);
}

/* The ways back in, after the step by which the transaction is left. */
static bool try_leaving(Finder *f, LockPlace out, uint32_t end) {
  const LockThread *thread = &f->run->threads[out.thread];
  lock_held_begin(&f->held, thread->held[out.step]);
  for (uint32_t step = out.step + 1; step < end; step++) {
    uint32_t class;
    lock_held_pass(&f->held, &thread->steps[step]);
    if (is_over(f)) return false;
    --*f->budget;
    for (uint32_t i = 0; lock_run_class(thread, step, i, &class); i++)
      if (has_rival(f, out.thread, class) && returns(f, (LockPlace){out.thread, step}, class) &&
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
  lock_held_begin(&f->held, thread->held[begin]);
  bool left = false;
  for (uint32_t step = begin; step < end; step++) {
    lock_held_pass(&f->held, &thread->steps[step]);
    if (!left) lock_held_begin(&f->held, thread->held[step]);
    for (uint32_t i = 0; left && lock_run_class(thread, step, i, &class); i++)
      if (has_rival(f, t, class)) return true;
    left |= lock_run_class(thread, step, 0, &class);
  }
  return false;
}

/* Can a cycle come back to the transaction at all? */
static bool can_close(Finder *f, uint32_t t, uint32_t begin, uint32_t end) {
  const LockThread *thread = &f->run->threads[t];
  uint32_t class;
  bool back = false;
  if (f->for_walks) lock_walks_start(f->walks, t);
  for (uint32_t step = begin; step < end && f->for_walks; step++) {
    const LockPlace place = {t, step};
    for (uint32_t i = 0; lock_run_class(thread, step, i, &class); i++) back |= returns(f, place, class);
    for (uint32_t i = 0; lock_run_class(thread, step, i, &class); i++)
      if (is_first(f, class, place, begin) && !lock_walks_leave(f->walks, place, class, &f->for_walks)) break;
  }
  return back || !f->for_walks;
}

static bool try_transaction(Finder *f, uint32_t t, uint32_t begin, uint32_t end) {
  const LockThread *thread = &f->run->threads[t];
  if (*f->budget < end - begin) return *f->budget = 0, false;
  if (!hashes_add(f->heap, &f->tried, lock_transaction_key(f->run, t, begin, end, f->found->all))) return true;
  *f->budget -= end - begin;
  if (!can_return(f, t, begin, end) || !can_close(f, t, begin, end)) return !is_over(f);
  for (uint32_t step = begin; step + 1 < end; step++)
    for (uint32_t i = 0; lock_run_class(thread, step, i, &f->home_class); i++)
      if (is_first(f, f->home_class, (LockPlace){t, step}, begin) && !try_leaving(f, (LockPlace){t, step}, end))
        return false;
  return true;
}

static bool try_thread(Finder *f, uint32_t t) {
  const LockThread *thread = &f->run->threads[t];
  for (uint32_t begin = 0, end; begin < thread->n; begin = end) {
    end = lock_transaction_end(thread, begin);
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
  const uint32_t found = f->found->cycles.n, most = f->question->max_threads;
  for (uint32_t length = 3; try_length(f, length); length++) {
    f->count.length = length;
    if (f->found->cycles.n == found && f->count.undecided == 0) f->count.clear = length;
    f->count.longer = f->longer && length < f->run->n_threads;
    f->count.complete = (!f->count.longer || length == most) && f->count.undecided == 0;
    if (!f->count.longer || length == most) return;
  }
}

LockCycleCount lock_cycles_find(const LockCycleQuestion *question, LockFound *found) {
  const LockRun *run = question->run;
  Finder f = {.question = question,
              .run = run,
              .heap = run->heap,
              .found = found,
              .budget = question->budget,
              .for_walks = *question->budget / PART_OF_WALKS,
              .count = {.length = 2, .clear = 2},
              .held.run = run};
  f.walks = lock_walks_new(run, question->order, question->pivots);
  f.used = heap_zeroed(run->heap, run->n_threads);
  try_lengths(&f);
  lock_walks_free(f.walks);
  heap_release(run->heap, f.used);
  vec_fini(run->heap, &f.path);
  vec_fini(run->heap, &f.classes);
  vec_fini(run->heap, &f.turned);
  lock_held_fini(&f.held);
  hashes_fini(run->heap, &f.tried);
  return f.count;
}
