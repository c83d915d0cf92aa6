#include "predict/locks/lock_start.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void lock_start_init(LockStart *start, const LockRun *run) {
  const size_t size = heap_product(run->heap, run->n_lines, sizeof(uint32_t));
  start->run = run;
  start->at = heap_zeroed(run->heap, size);
  start->reach = heap_zeroed(run->heap, size);
}

void lock_start_fini(LockStart *start) {
  heap_release(start->run->heap, start->at);
  heap_release(start->run->heap, start->reach);
}

void lock_start_find(LockStart *start, const LockVisit *visits, uint32_t n) {
  const LockRun *run = start->run;
  const bool from_zero = !run->valid && !run->plain && run->n_edges > 0;
  for (uint32_t t = 0; t < run->n_lines; t++) start->at[t] = from_zero ? 0 : run->threads[t].idle[run->threads[t].n];
  for (uint32_t i = 0; i < n && !from_zero; i++)
    start->at[visits[i].thread] = run->threads[visits[i].thread].idle[lock_visit_first(&visits[i])];
  for (bool again = true; again;) {
    again = false;
    for (uint32_t e = run->n_edges; e-- > 0;) {
      const LockEdge *edge = &run->edges[e];
      uint32_t *at = &start->at[edge->to.thread];
      if (*at <= edge->to.step || start->at[edge->from.thread] > edge->from.step) continue;
      *at = run->threads[edge->to.thread].idle[edge->to.step];
      again = true;
    }
  }
}

/* ---- the part of the run that comes first ---- */

void lock_telling_add(LockTelling *telling, uint32_t thread, uint32_t step) {
  const LockThread *it = &telling->run->threads[thread];
  assert(step < it->n);
  telling->n++;
  if (thread >= telling->run->n_threads) return;
  const ScheduleStep next = {it->number, it->steps[step].event};
  if (telling->thread == thread) vec_last(telling->schedule).until = next.until;
  else vec_push(telling->run->heap, telling->schedule, next);
  telling->thread = thread;
}

/* The threads that take part, up to where they start, and of the others what edges ask for. What a relay asks for
 * later, when the threads that take part have signalled, is not part of it. */
static void find_needed(LockStart *start, const uint32_t *goal) {
  const LockRun *run = start->run;
  uint32_t *reach = start->reach;
  for (uint32_t t = 0; t < run->n_lines; t++) reach[t] = goal[t] ? start->at[t] : 0;
  for (bool again = run->n_edges > 0; again;) {
    again = false;
    for (uint32_t e = run->n_edges; e-- > 0;) {
      const LockPlace from = run->edges[e].from, to = run->edges[e].to;
      const uint32_t done = goal[to.thread] ? goal[to.thread] : reach[to.thread];
      if (to.step >= done || goal[from.thread] || reach[from.thread] > from.step) continue;
      const uint32_t idle = run->threads[from.thread].next_idle[from.step + 1];
      reach[from.thread] = idle == TRACE_NONE ? run->threads[from.thread].n : idle;
      again = true;
    }
  }
  for (uint32_t t = run->n_threads; t < run->n_lines; t++)
    if (reach[t] > start->at[t]) reach[t] = start->at[t];
}

/* How far the thread can go alone, to a position without locks, as far as edges go. */
static uint32_t next_rest(const LockRun *run, uint32_t t, const uint32_t *now, uint32_t reach) {
  uint32_t end = reach;
  for (uint32_t i = lock_run_incoming(run, t, now[t]); i < run->first_incoming[t + 1]; i++) {
    const LockEdge *edge = &run->edges[run->incoming[i]];
    if (edge->to.step >= end) break;
    if (now[edge->from.thread] <= edge->from.step) end = run->threads[t].idle[edge->to.step];
  }
  return end > now[t] ? end : now[t];
}

typedef struct {
  uint64_t event;
  LockPlace place;
} Turn;

static int by_event(const void *a, const void *b) {
  const uint64_t x = ((const Turn *)a)->event, y = ((const Turn *)b)->event;
  return (x > y) - (x < y);
}

/* As the run has them. */
static void tell_as_recorded(const LockStart *start, LockTelling *telling) {
  const LockRun *run = start->run;
  VEC(Turn) turns = {0};
  for (uint32_t t = 0; t < run->n_threads; t++)
    for (uint32_t p = 0; p < start->reach[t]; p++) {
      const Turn turn = {run->threads[t].steps[p].event, {t, p}};
      vec_push(run->heap, &turns, turn);
    }
  if (turns.n) qsort(turns.at, turns.n, sizeof *turns.at, by_event);
  for (uint32_t i = 0; i < turns.n; i++) lock_telling_add(telling, turns.at[i].place.thread, turns.at[i].place.step);
  vec_fini(run->heap, &turns);
}

/* One thread after another, if that can be: each time one goes as far as it can. */
void lock_start_tell(LockStart *start, const uint32_t *goal, LockTelling *telling) {
  const LockRun *run = start->run;
  const uint32_t before = telling->schedule->n;
  uint32_t *now = heap_zeroed(run->heap, heap_product(run->heap, run->n_lines, sizeof *now));
  bool done = false, again = true;
  find_needed(start, goal);
  while (again && !done) {
    again = false;
    done = true;
    for (uint32_t t = 0; t < run->n_lines; t++) {
      const uint32_t rest = next_rest(run, t, now, start->reach[t]);
      if (rest > now[t]) lock_telling_add(telling, t, rest - 1), again = true;
      now[t] = rest;
      done &= rest == start->reach[t];
    }
  }
  heap_release(run->heap, now);
  if (done) return;
  telling->schedule->n = before;
  telling->thread = TRACE_NONE;
  tell_as_recorded(start, telling);
}
