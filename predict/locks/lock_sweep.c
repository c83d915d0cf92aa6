#include "predict/locks/lock_sweep.h"

#include "predict/locks/lock_least.h"

#include <assert.h>
#include <stdlib.h>

#define NONE UINT32_MAX

enum { WORK = 32 }; /* for each step of the transaction and each access of the other thread */

/* The transaction is entered by `in`, after the other thread was left by `out`, a step of that transaction. */
typedef struct {
  uint32_t transaction, in, out;
} Exit;

struct LockSweep {
  LockLeast least; /* a step is late if it comes after all ways into the other thread */
  LockRaise asked; /* by the last exit that there are numbers for */
  VEC(Exit) exits;
};

LockSweep *lock_sweep_new(const LockClosure *closure) {
  Heap *heap = lock_closure_run(closure)->heap;
  LockSweep *sweep = heap_zeroed(heap, sizeof *sweep);
  lock_least_init(&sweep->least, closure);
  return sweep;
}

void lock_sweep_free(LockSweep *sweep) {
  if (!sweep) return;
  Heap *heap = sweep->least.run->heap;
  lock_least_fini(&sweep->least);
  vec_fini(heap, &sweep->exits);
  heap_release(heap, sweep);
}

/* Does every way out of the transaction come too late for this exit? */
static bool refuse(LockSweep *s, const Exit *exit) {
  LockLeast *least = &s->least;
  const LockRaise raise = {exit->in, exit->out + 1};
  if (least->last == NONE || !lock_least_asks(least, s->asked, raise)) lock_least_begin(least, exit->in);
  if (least->never) return true;
  s->asked = raise;
  if (!lock_least_extend(least, exit->in) || !lock_least_ask(least, raise)) return least->never;
  lock_least_look(least);
  return least->alive == 0;
}

/* ---- the ties ---- */

static int by_transaction(const void *a, const void *b) {
  const Exit *x = a, *y = b;
  if (x->transaction != y->transaction) return x->transaction < y->transaction ? -1 : 1;
  if (x->in != y->in) return x->in < y->in ? -1 : 1;
  return (x->out > y->out) - (x->out < y->out);
}

static void list_exits(LockSweep *s, const LockTie *ties, uint32_t n) {
  const LockStep *steps = s->least.run->threads[s->least.b].steps;
  vec_clear(&s->exits);
  for (uint32_t i = 0; i < n; i++) {
    const LockGroup *group = &s->least.run->groups[ties[i].group];
    for (uint32_t k = 0; ties[i].enters && k < group->n; k++) {
      const Exit exit = {steps[group->steps[k]].transaction, ties[i].step, group->steps[k]};
      vec_push(s->least.run->heap, &s->exits, exit);
    }
  }
  if (s->exits.n) qsort(s->exits.at, s->exits.n, sizeof *s->exits.at, by_transaction);
}

/* Of the group: the steps up to the transaction's last one; how many of the thread's come before them all are done? */
static uint32_t limit_of(const LockSweep *s, const LockGroup *group, uint32_t transaction) {
  const LockStep *steps = s->least.run->threads[s->least.b].steps;
  uint32_t low = 0, high = group->n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (steps[group->steps[middle]].transaction <= transaction) low = middle + 1;
    else high = middle;
  }
  return low ? group->steps[low - 1] + 1 : 0;
}

/* The ways into the other thread: in the exit's transaction or before. */
static void find_limits(LockSweep *s, const LockTie *ties, uint32_t n, uint32_t transaction) {
  for (uint32_t i = 0; i < n; i++) s->least.limit.at[ties[i].step - s->least.from] = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t limit = ties[i].first ? limit_of(s, &s->least.run->groups[ties[i].group], transaction) : 0;
    uint32_t *at = &s->least.limit.at[ties[i].step - s->least.from];
    if (limit > *at) *at = limit;
  }
  s->least.work += n;
}

bool lock_sweep_refuses(LockSweep *s, uint32_t a, const LockTie *ties, uint32_t n) {
  const LockRun *run = s->least.run;
  assert(n > 0);
  const uint32_t from = run->threads[a].idle[ties[0].step], to = ties[n - 1].step;
  lock_least_set(&s->least, a, from, to, ties[0].thread, 0);
  list_exits(s, ties, n);
  s->least.most = WORK * ((uint64_t)(to - from) + s->exits.n + n);
  for (uint32_t i = 0; i < s->exits.n; i++) {
    const Exit *exit = &s->exits.at[i];
    if (i == 0 || exit[-1].transaction != exit->transaction) {
      find_limits(s, ties, n, exit->transaction);
      s->least.last = NONE;
    }
    if (!refuse(s, exit) || (i % 64 == 0 && heap_asked(run->heap) != STOP_NOT)) return false;
  }
  return true;
}
