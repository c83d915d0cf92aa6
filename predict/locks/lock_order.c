#include "predict/locks/lock_order.h"

#include <assert.h>
#include <string.h>

static const uint64_t MOST_ENTRIES = (uint64_t)1 << 26;

/* From a step on, so many steps of each thread have been done before. */
typedef struct {
  uint32_t step;
  uint32_t *past;
} Clock;

typedef VEC(Clock) Clocks;

struct LockOrder {
  Heap *heap;
  Arena arena;
  uint32_t n_threads;
  Clocks *clocks; /* of each thread, by steps; NULL: nothing is known */
};

/* The last clock of the thread that holds at the step, or NULL. */
static const Clock *clock_at(const Clocks *clocks, uint32_t step) {
  uint32_t low = 0, high = clocks->n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (clocks->at[middle].step <= step) low = middle + 1;
    else high = middle;
  }
  return low ? &clocks->at[low - 1] : NULL;
}

static uint32_t *new_clock(LockOrder *order, LockPlace at) {
  Clocks *clocks = &order->clocks[at.thread];
  const Clock *last = clocks->n ? &vec_last(clocks) : NULL;
  assert(!last || last->step <= at.step); /* edges come in the order of their ends */
  if (last && last->step == at.step) return last->past;
  const Clock clock = {at.step, arena_zeroed(&order->arena, order->n_threads, sizeof *clock.past)};
  if (last) memcpy(clock.past, last->past, order->n_threads * sizeof *clock.past);
  assert(clocks->n <= clocks->cap && (clocks->at || clocks->cap == 0));
  vec_push(order->heap, clocks, clock);
  return clock.past;
}

/* Edges come in the order of their ends, so that what is before their starts is known. */
static void follow(LockOrder *order, const LockEdge *edge) {
  uint32_t *past = new_clock(order, edge->to);
  const Clock *from = clock_at(&order->clocks[edge->from.thread], edge->from.step);
  for (uint32_t t = 0; from && t < order->n_threads; t++)
    if (from->past[t] > past[t]) past[t] = from->past[t];
  if (past[edge->from.thread] <= edge->from.step) past[edge->from.thread] = edge->from.step + 1;
}

LockOrder *lock_order_new(const LockRun *run) {
  LockOrder *order = heap_zeroed(run->heap, sizeof *order);
  order->heap = run->heap;
  order->n_threads = run->n_threads;
  arena_init(&order->arena, run->heap);
  if ((uint64_t)run->n_edges * run->n_threads > MOST_ENTRIES) return order;
  order->clocks = heap_zeroed(run->heap, heap_product(run->heap, run->n_threads, sizeof *order->clocks));
  for (uint32_t e = 0; e < run->n_edges; e++) follow(order, &run->edges[e]);
  return order;
}

void lock_order_free(LockOrder *order) {
  if (!order) return;
  for (uint32_t t = 0; order->clocks && t < order->n_threads; t++) vec_fini(order->heap, &order->clocks[t]);
  heap_release(order->heap, order->clocks);
  arena_fini(&order->arena);
  heap_release(order->heap, order);
}

uint32_t lock_order_past(const LockOrder *order, LockPlace place, uint32_t thread) {
  assert(place.thread < order->n_threads && thread < order->n_threads);
  if (place.thread == thread) return place.step;
  const Clock *clock = order->clocks ? clock_at(&order->clocks[place.thread], place.step) : NULL;
  return clock ? clock->past[thread] : 0;
}
