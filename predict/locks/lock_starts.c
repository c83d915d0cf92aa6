#include "predict/locks/lock_starts.h"

#include "predict/locks/lock_least.h"
#include "predict/locks/lock_pairs.h"
#include "serial/hashes.h"

#include <assert.h>
#include <stdlib.h>

/* A step of the transaction in question, and one of another thread's transaction that it conflicts with. */
typedef struct {
  uint32_t thread, transaction, step, other;
} Conflict;

typedef struct {
  const LockRun *run;
  LockLeast least;
  VEC(Conflict) conflicts;
  Hashes kinds;  /* of transactions */
  U32Vec *steps; /* of each group: those of its steps whose transaction is the first of its kind */
  uint64_t work, most;
} Starts;

/* ---- transactions, each kind once ---- */

/* Of each step of the thread: is its transaction the first of its kind? */
static bool *find_kinds(const LockRun *run, uint32_t t, Hashes *kinds) {
  const LockThread *thread = &run->threads[t];
  bool *first = heap_zeroed(run->heap, thread->n);
  for (uint32_t begin = 0, end; begin < thread->n; begin = end) {
    end = lock_transaction_end(thread, begin);
    const bool is_new = hashes_add(run->heap, kinds, lock_transaction_key(run, t, begin, end, false));
    for (uint32_t step = begin; step < end; step++) first[step] = is_new;
  }
  return first;
}

static void list_steps(Starts *s, uint32_t t, const bool *first) {
  const LockRun *run = s->run;
  for (uint32_t i = 0; i < run->n_thread_groups[t]; i++) {
    const uint32_t number = run->thread_groups[t][i];
    const LockGroup *group = &run->groups[number];
    for (uint32_t k = 0; k < group->n; k++)
      if (first[group->steps[k]]) vec_push(run->heap, &s->steps[number], group->steps[k]);
  }
}

/* ---- conflicts ---- */

static int by_transaction(const void *a, const void *b) {
  const Conflict *x = a, *y = b;
  if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
  if (x->transaction != y->transaction) return x->transaction < y->transaction ? -1 : 1;
  if (x->step != y->step) return x->step < y->step ? -1 : 1;
  return (x->other > y->other) - (x->other < y->other);
}

static void list_rivals(Starts *s, uint32_t t, uint32_t step, uint32_t class) {
  const LockRun *run = s->run;
  uint32_t from, to;
  lock_class_rivals(class, &from, &to);
  for (uint32_t g = run->class_groups[from]; g < run->class_groups[to + 1] && s->work < s->most; g++) {
    const uint32_t thread = run->groups[g].thread;
    if (thread == t) continue;
    for (uint32_t k = 0; k < s->steps[g].n && s->work < s->most; k++, s->work++) {
      const uint32_t other = s->steps[g].at[k];
      const Conflict conflict = {thread, run->threads[thread].steps[other].transaction, step, other};
      vec_push(run->heap, &s->conflicts, conflict);
    }
  }
}

static void list_conflicts(Starts *s, uint32_t t, uint32_t begin, uint32_t end) {
  uint32_t class;
  vec_clear(&s->conflicts);
  for (uint32_t step = begin; step < end; step++)
    for (uint32_t i = 0; lock_run_class(&s->run->threads[t], step, i, &class); i++) list_rivals(s, t, step, class);
  if (s->conflicts.n) qsort(s->conflicts.at, s->conflicts.n, sizeof *s->conflicts.at, by_transaction);
}

/* ---- two transactions ---- */

/* Thread t's transaction begins at `begin`. Where one of its accesses comes after one of the other transaction's, has
 * that one begun before? The least that each access can come after is enough. */
static bool keep_order(Starts *s, uint32_t t, uint32_t begin, const Conflict *conflicts, uint32_t n) {
  LockLeast *least = &s->least;
  const uint32_t other = conflicts[0].thread, its_begin = lock_run_first(&s->run->threads[other], conflicts[0].other);
  LockRaise asked = {0, 0};
  bool kept = true;
  lock_least_set(least, t, s->run->threads[t].idle[begin], conflicts[n - 1].step, other, s->most - s->work);
  for (uint32_t i = 0; i < n && kept; i++) {
    const LockRaise raise = {conflicts[i].step, conflicts[i].other + 1};
    if (i > 0 && raise.step == conflicts[i - 1].step) continue;
    if (i == 0 || !lock_least_asks(least, asked, raise)) lock_least_begin(least, raise.step);
    if (least->never) continue;
    asked = raise;
    kept = (lock_least_extend(least, raise.step) && lock_least_ask(least, raise))
               ? lock_least_at(least, begin) > its_begin
               : least->never;
  }
  s->work += least->work;
  return kept && s->work < s->most;
}

static bool try_transaction(Starts *s, uint32_t t, uint32_t begin, uint32_t end) {
  list_conflicts(s, t, begin, end);
  for (uint32_t i = 0, next; i < s->conflicts.n; i = next) {
    const Conflict *first = &s->conflicts.at[i];
    for (next = i + 1; next < s->conflicts.n && s->conflicts.at[next].thread == first->thread &&
                       s->conflicts.at[next].transaction == first->transaction;)
      next++;
    if (!keep_order(s, t, begin, first, next - i)) return false;
  }
  return s->work < s->most && heap_asked(s->run->heap) == STOP_NOT;
}

/* ---- the whole ---- */

static bool try_all(Starts *s, bool **first) {
  const LockRun *run = s->run;
  for (uint32_t t = 0; t < run->n_threads; t++) first[t] = find_kinds(run, t, &s->kinds);
  for (uint32_t t = 0; t < run->n_threads; t++) list_steps(s, t, first[t]);
  for (uint32_t t = 0; t < run->n_threads; t++)
    for (uint32_t begin = 0, end; begin < run->threads[t].n; begin = end) {
      end = lock_transaction_end(&run->threads[t], begin);
      if (first[t][begin] && !try_transaction(s, t, begin, end)) return false;
    }
  return true;
}

bool lock_starts_prove(const LockClosure *closure, uint64_t budget) {
  const LockRun *run = lock_closure_run(closure);
  Heap *heap = run->heap;
  Starts s = {.run = run, .most = budget};
  lock_least_init(&s.least, closure);
  s.steps = heap_zeroed(heap, heap_product(heap, run->n_groups, sizeof *s.steps));
  bool **first = heap_zeroed(heap, heap_product(heap, run->n_threads, sizeof *first));
  const bool proved = try_all(&s, first);
  for (uint32_t t = 0; t < run->n_threads; t++) heap_release(heap, first[t]);
  for (uint32_t g = 0; g < run->n_groups; g++) vec_fini(heap, &s.steps[g]);
  heap_release(heap, first);
  heap_release(heap, s.steps);
  hashes_fini(heap, &s.kinds);
  vec_fini(heap, &s.conflicts);
  lock_least_fini(&s.least);
  return proved;
}
