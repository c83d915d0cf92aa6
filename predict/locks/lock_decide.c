#include "predict/locks/lock_decide.h"

#include "predict/locks/lock_search.h"

#include <assert.h>

struct LockDecider {
  const LockRun *run;
  Strands *order;
  LockStart start;
  LockClosure *closure;
  LockClocks *clocks;
  LockSearch *search;
  uint32_t *goal; /* of each thread and relay: where it ends in the run, if it takes part */
};

LockDecider *lock_decider_new(const LockRun *run, Strands *order) {
  LockDecider *decider = heap_zeroed(run->heap, sizeof *decider);
  decider->run = run;
  decider->order = order;
  lock_start_init(&decider->start, run);
  decider->closure = lock_closure_new(run);
  decider->clocks = lock_clocks_new(decider->closure);
  decider->search = lock_search_new(run, &decider->start);
  decider->goal = heap_zeroed(run->heap, heap_product(run->heap, run->n_lines, sizeof *decider->goal));
  return decider;
}

void lock_decider_free(LockDecider *decider) {
  if (!decider) return;
  Heap *heap = decider->run->heap;
  lock_clocks_free(decider->clocks);
  lock_closure_free(decider->closure);
  lock_search_free(decider->search);
  lock_start_fini(&decider->start);
  heap_release(heap, decider->goal);
  heap_release(heap, decider);
}

LockClosure *lock_decider_closure(LockDecider *decider) { return decider->closure; }

/* ---- where it begins ---- */

/* Does what a third thread has done so far suffice for all that the thread does from one position to another? Where
 * the start is not known, no edge may come from a third thread at all. */
static bool is_alone(const LockDecider *decider, uint32_t t, uint32_t from, uint32_t to, uint32_t other, bool known) {
  LockSources sources = lock_run_sources(decider->run, t, from);
  for (LockEdge edge; lock_sources_next(&sources, &edge) && edge.to.step < to;) {
    if (edge.from.thread == other || edge.from.thread == t) continue;
    if (!known || edge.from.step >= decider->start.at[edge.from.thread]) return false;
  }
  return true;
}

/* Where the visit begins, if nothing else is asked. */
static uint32_t rest_before(const LockRun *run, const LockVisit *visit) {
  return run->threads[visit->thread].idle[lock_visit_first(visit)];
}

static uint32_t rest_after(const LockRun *run, const LockVisit *visit) {
  const LockThread *thread = &run->threads[visit->thread];
  const uint32_t idle = thread->next_idle[lock_visit_need(visit)];
  return idle == TRACE_NONE ? thread->n : idle;
}

/* Is what comes before a's beginning no more of b than what comes before b's? */
static bool is_before(const LockDecider *decider, const LockVisit *a, const LockVisit *b) {
  const uint32_t from = rest_before(decider->run, a);
  return from == 0 || strands_before(decider->order, a->thread, from - 1, b->thread) <= rest_before(decider->run, b);
}

/* Each thread begins right before its visit, and no third one has anything to do: for this the start need not be looked
 * for. Where no lock is held at an edge, all that comes before can be done first. */
static bool begins_near(LockDecider *decider, const LockVisit *a, const LockVisit *b) {
  const LockRun *run = decider->run;
  if (run->n_edges == 0) return true;
  return run->plain && decider->order->added.n && is_before(decider, a, b) && is_before(decider, b, a) &&
         is_alone(decider, a->thread, rest_before(run, a), rest_after(run, a), b->thread, false) &&
         is_alone(decider, b->thread, rest_before(run, b), rest_after(run, b), a->thread, false);
}

/* ---- two threads ---- */

/* A schedule is as long as the run, and there may be thousands: so many steps of it count as one of a search. */
enum { TOLD_A_STEP = 8 };

static void tell(LockDecider *decider, Schedule *schedule, bool searched, uint64_t *budget) {
  LockTelling telling = {decider->run, schedule, TRACE_NONE, 0};
  lock_start_tell(&decider->start, decider->goal, &telling);
  if (searched) lock_search_tell(decider->search, &telling);
  else lock_closure_tell(decider->closure, &telling);
  const uint64_t cost = telling.n / TOLD_A_STEP;
  *budget -= cost < *budget ? cost : *budget;
}

static void clear_goal(LockDecider *decider) {
  for (uint32_t t = 0; t < decider->run->n_lines; t++) decider->goal[t] = 0;
}

/* With the split visit's thread as the one that ends the run. UNDECIDED: a third thread is needed. */
static LockAnswer decide_split(LockDecider *decider, const LockVisit *visits, uint32_t split, bool near,
                               uint64_t *budget, Schedule *schedule) {
  const LockVisit *a = &visits[split], *b = &visits[!split];
  const LockRun *run = decider->run;
  const uint32_t from_a = near ? rest_before(run, a) : decider->start.at[a->thread];
  const uint32_t from_b = near ? rest_before(run, b) : decider->start.at[b->thread];
  const LockDemand demand = {a->thread, from_a, a->in, b->thread, from_b, lock_visit_need(b), a->out, b->in};
  if (!lock_closure_solve(decider->closure, &demand)) return LOCK_IMPOSSIBLE;
  const uint32_t end = lock_closure_before(decider->closure, a->in);
  if (!near && (!is_alone(decider, a->thread, from_a, a->in + 1, b->thread, true) ||
                !is_alone(decider, b->thread, from_b, end, a->thread, true)))
    return LOCK_UNDECIDED;
  if (!schedule) return LOCK_POSSIBLE;
  if (near) lock_start_find(&decider->start, visits, 2);
  assert(decider->start.at[a->thread] == from_a && decider->start.at[b->thread] == from_b);
  clear_goal(decider);
  decider->goal[a->thread] = a->in + 1;
  decider->goal[b->thread] = end;
  tell(decider, schedule, false, budget);
  return LOCK_POSSIBLE;
}

static bool is_split(const LockVisit *visit) { return visit->out < visit->in; }

/* Either of them may end the run, if it is split. */
static LockAnswer decide_two(LockDecider *decider, const LockVisit *visits, bool near, uint64_t *budget,
                             Schedule *schedule) {
  LockAnswer answer = LOCK_IMPOSSIBLE;
  for (uint32_t i = 0; i < 2 && answer != LOCK_POSSIBLE; i++) {
    if (!is_split(&visits[i])) continue;
    const LockAnswer here = decide_split(decider, visits, i, near, budget, schedule);
    if (here != LOCK_IMPOSSIBLE) answer = here;
  }
  return answer;
}

/* ---- any number ---- */

LockAnswer lock_decide(LockDecider *decider, const LockVisit *visits, uint32_t n, uint64_t *budget,
                       Schedule *schedule) {
  const bool near = n == 2 && begins_near(decider, &visits[0], &visits[1]);
  LockAnswer answer = LOCK_UNDECIDED;
  if (!near) lock_start_find(&decider->start, visits, n);
  if (n == 2) answer = decide_two(decider, visits, near, budget, schedule);
  if (heap_asked(decider->run->heap) != STOP_NOT) return answer == LOCK_POSSIBLE ? answer : LOCK_UNDECIDED;
  if (answer != LOCK_UNDECIDED) return answer;
  if (!lock_clocks_solve(decider->clocks, &decider->start, visits, n)) return LOCK_IMPOSSIBLE;
  answer = lock_search(decider->search, visits, n, decider->clocks, budget);
  if (answer != LOCK_POSSIBLE || !schedule) return answer;
  clear_goal(decider);
  lock_search_goal(decider->search, decider->goal);
  tell(decider, schedule, true, budget);
  return answer;
}
