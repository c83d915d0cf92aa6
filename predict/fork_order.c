#include "predict/fork_order.h"

#include "base/bitset.h"

#include <assert.h>

#define NONE UINT32_MAX

void fork_order_init(ForkOrder *stages, Heap *heap) { *stages = (ForkOrder){.heap = heap}; }

void fork_order_fini(ForkOrder *stages) {
  vec_fini(stages->heap, &stages->stages);
  vec_fini(stages->heap, &stages->lives);
  vec_fini(stages->heap, &stages->now);
  vec_fini(stages->heap, &stages->numbers);
  heap_release(stages->heap, stages->order);
}

static void make_room(ForkOrder *stages, uint32_t thread) {
  if (thread == NONE) heap_give_up(stages->heap);
  while (stages->now.n <= thread) vec_push(stages->heap, &stages->now, STAGE_NONE);
  if (stages->numbers.n <= thread) vec_resize_zeroed(stages->heap, &stages->numbers, thread + 1);
}

static StageId add(ForkOrder *stages, uint32_t thread, uint32_t other, StageCause cause) {
  assert(!stages->order && thread < stages->now.n && (other == NONE || other < stages->stages.n));
  const uint32_t before = stages->now.at[thread].v;
  uint32_t life = stages->lives.n;
  if (before != NONE) {
    life = stages->stages.at[before].life;
  } else {
    const Life fresh = {thread, stages->numbers.at[thread]};
    vec_push(stages->heap, &stages->lives, fresh);
  }
  const StageId id = {stages->stages.n};
  const Stage stage = {life, before, other, cause};
  vec_push(stages->heap, &stages->stages, stage);
  stages->now.at[thread] = id;
  return id;
}

StageId fork_order_of(ForkOrder *stages, uint32_t thread) {
  make_room(stages, thread);
  return stages->now.at[thread].v == NONE ? add(stages, thread, NONE, STAGE_BY_START) : stages->now.at[thread];
}

void fork_order_fork(ForkOrder *stages, uint32_t thread, uint32_t other) {
  const StageId from = fork_order_of(stages, thread);
  make_room(stages, other);
  add(stages, other, from.v, stages->now.at[other].v == NONE ? STAGE_BY_START : STAGE_BY_OTHER);
  add(stages, thread, NONE, STAGE_BY_FORK);
}

bool fork_order_join(ForkOrder *stages, uint32_t thread, uint32_t other, bool ends_life) {
  make_room(stages, other);
  fork_order_of(stages, thread);
  const StageId last = stages->now.at[other];
  if (last.v == NONE) return false;
  add(stages, thread, last.v, STAGE_BY_JOIN);
  if (ends_life) stages->now.at[other] = STAGE_NONE, stages->numbers.at[other]++;
  else add(stages, other, NONE, STAGE_BY_OTHER);
  return true;
}

/* The row of b: a, and what comes before it. */
static void put_before(ForkOrder *stages, uint32_t a, uint32_t b, size_t words) {
  if (a == NONE) return;
  assert(a < b); /* what comes before a stage has a smaller number */
  const uint64_t *from = stages->order + a * words;
  uint64_t *to = stages->order + b * words;
  for (size_t w = 0; w < words; w++) to[w] |= from[w];
  bitset_add(to, a);
}

void fork_order_close(ForkOrder *stages) {
  const uint32_t n = stages->stages.n;
  const size_t words = bitset_words(n);
  if (n > FORK_ORDER_MOST) return;
  stages->order = heap_zeroed(stages->heap, heap_product(stages->heap, n * words, sizeof *stages->order));
  for (uint32_t i = 0; i < n; i++) {
    put_before(stages, stages->stages.at[i].before, i, words);
    put_before(stages, stages->stages.at[i].other, i, words);
  }
}

bool fork_order_before(const ForkOrder *stages, StageId a, StageId b) {
  assert(a.v < stages->stages.n && b.v < stages->stages.n);
  if (stages->order) return bitset_has(stages->order + b.v * bitset_words(stages->stages.n), a.v);
  return a.v < b.v && fork_order_life(stages, a) == fork_order_life(stages, b);
}

bool fork_order_concurrent(const ForkOrder *stages, StageId a, StageId b) {
  return fork_order_life(stages, a) != fork_order_life(stages, b) && !fork_order_before(stages, a, b) && !fork_order_before(stages, b, a);
}
