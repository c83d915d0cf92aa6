#include "predict/locks/lock_least.h"

#include <assert.h>

#define NONE UINT32_MAX

enum { RAISES_SEEN = 16, STEPS_SEEN = 256 }; /* by lock_least_asks() */

void lock_least_init(LockLeast *least, const LockClosure *closure) {
  *least = (LockLeast){.closure = closure, .run = lock_closure_run(closure), .last = NONE};
}

void lock_least_fini(LockLeast *least) {
  Heap *heap = least->run->heap;
  vec_fini(heap, &least->limit);
  vec_fini(heap, &least->least);
  vec_fini(heap, &least->raises);
}

void lock_least_set(LockLeast *least, uint32_t a, uint32_t from, uint32_t to, uint32_t b, uint64_t most) {
  Heap *heap = least->run->heap;
  assert(from <= to && !least->run->threads[a].held[from]);
  least->a = a;
  least->b = b;
  least->from = from;
  least->last = NONE;
  least->work = 0;
  least->most = most;
  vec_clear(&least->limit);
  vec_resize_zeroed(heap, &least->limit, to + 1 - from);
  vec_resize_zeroed(heap, &least->least, to + 1 - from);
}

void lock_least_begin(LockLeast *least, uint32_t last) {
  assert(last >= least->from && last - least->from < least->least.n);
  vec_clear(&least->raises);
  least->last = last;
  least->low = last + 1;
  least->counted = least->from;
  least->alive = 0;
  least->never = false;
}

/* ---- what locks ask for ---- */

static const LockThread *thread_of(const LockLeast *least) { return &least->run->threads[least->a]; }

static uint32_t need(const LockLeast *least, uint32_t acquire, uint32_t count) {
  return lock_closure_need(least->closure, least->a, acquire, least->b, count);
}

/* What is asked of the acquire whose lock is released by the step, if `count` steps come before that. */
static LockRaise asked_by(const LockLeast *least, uint32_t release, uint32_t count) {
  const uint32_t acquire = lock_closure_partner(least->closure, least->a, release);
  return (LockRaise){acquire, need(least, acquire, count)};
}

/* The same of a lock that is held at the step, the first of a set. */
static LockRaise asked_by_held(const LockLeast *least, uint32_t set, uint32_t step, uint32_t count) {
  LockSection section = {0, NONE};
  const bool there = lock_closure_last(least->closure, least->a, least->run->sets.at[set].lock, step, &section);
  assert(there);
  return (LockRaise){section.acquire, there ? need(least, section.acquire, count) : NONE};
}

/* ---- numbers ---- */

static bool ask(LockLeast *least, LockRaise raise) {
  least->work++;
  if (raise.count == NONE) return false;
  if (raise.count > lock_least_at(least, raise.step)) vec_push(least->run->heap, &least->raises, raise);
  return true;
}

static bool ask_held(LockLeast *least, uint32_t count) {
  for (uint32_t set = thread_of(least)->held[least->last]; set; set = least->run->sets.at[set].rest)
    if (!ask(least, asked_by_held(least, set, least->last, count))) return false;
  return true;
}

static bool put(LockLeast *least, uint32_t step, uint32_t count) {
  uint32_t *at = &least->least.at[step - least->from];
  const uint32_t limit = least->limit.at[step - least->from];
  if (step < least->counted && *at < limit && limit <= count) least->alive--;
  *at = count;
  least->work++;
  return thread_of(least)->steps[step].op != STEP_RELEASE || ask(least, asked_by(least, step, count));
}

static bool make(LockLeast *least, LockRaise raise) {
  assert(raise.step >= least->from && raise.step <= least->last);
  for (; least->low > raise.step; least->work++) least->least.at[--least->low - least->from] = 0;
  uint32_t step = raise.step;
  for (; step <= least->last && lock_least_at(least, step) < raise.count; step++)
    if (!put(least, step, raise.count)) return false;
  return step <= least->last || step == raise.step || ask_held(least, raise.count);
}

static bool make_all(LockLeast *least) {
  while (least->raises.n && !lock_least_is_over(least)) {
    const LockRaise raise = vec_last(&least->raises);
    least->raises.n--;
    if (!make(least, raise)) return false;
  }
  return least->raises.n == 0;
}

/* Of the steps up to `last` each has the number of the one before. */
static bool go_on(LockLeast *least, uint32_t last) {
  const uint32_t count = lock_least_at(least, least->last);
  for (uint32_t step = least->last + 1; step <= last; step++) {
    least->least.at[step - least->from] = 0;
    if (!put(least, step, count)) return false;
  }
  least->last = last;
  return ask_held(least, count) && make_all(least);
}

bool lock_least_extend(LockLeast *least, uint32_t last) {
  assert(last >= least->last && last - least->from < least->least.n);
  if (least->never || lock_least_is_over(least)) return false;
  if (last == least->last) return true;
  const bool possible = go_on(least, last);
  least->never = !possible && !lock_least_is_over(least);
  return possible;
}

bool lock_least_ask(LockLeast *least, LockRaise raise) {
  if (least->never || lock_least_is_over(least)) return false;
  const bool possible = ask(least, raise) && make_all(least);
  least->never = !possible && !lock_least_is_over(least);
  return possible;
}

void lock_least_look(LockLeast *least) {
  for (; least->counted < least->last; least->counted++, least->work++)
    least->alive += lock_least_at(least, least->counted) < least->limit.at[least->counted - least->from];
}

/* ---- what a raise asks for ---- */

static bool is_covered(const LockRaise *raises, uint32_t n, LockRaise raise) {
  for (uint32_t i = 0; i < n; i++)
    if (raises[i].step <= raise.step && raises[i].count >= raise.count) return true;
  return false;
}

bool lock_least_asks(const LockLeast *least, LockRaise asked, LockRaise raise) {
  LockRaise seen[RAISES_SEEN] = {raise};
  uint32_t steps = 0;
  for (uint32_t i = 0, n = 1; i < n; i++) {
    if (seen[i].step <= asked.step && seen[i].count >= asked.count) return true;
    uint32_t set = thread_of(least)->held[raise.step];
    for (uint32_t step = seen[i].step; step < raise.step || set; steps++) {
      LockRaise more = {0, 0};
      if (steps == STEPS_SEEN) return false;
      if (step < raise.step) {
        if (thread_of(least)->steps[step].op == STEP_RELEASE) more = asked_by(least, step, seen[i].count);
        step++;
      } else {
        more = asked_by_held(least, set, raise.step, seen[i].count);
        set = least->run->sets.at[set].rest;
      }
      if (more.count == NONE) return false;
      if (more.count && n < RAISES_SEEN && !is_covered(seen, n, more)) seen[n++] = more;
    }
  }
  return false;
}
