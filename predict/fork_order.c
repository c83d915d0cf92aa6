#include "predict/fork_order.h"

#include <assert.h>

#define NONE UINT32_MAX

void fork_order_init(ForkOrder *stages, Heap *heap) {
  *stages = (ForkOrder){.heap = heap, .order = heap_alloc(heap, sizeof *stages->order)};
  *stages->order = (Strands){.heap = heap};
}

void fork_order_fini(ForkOrder *stages) {
  vec_fini(stages->heap, &stages->stages);
  vec_fini(stages->heap, &stages->lives);
  vec_fini(stages->heap, &stages->now);
  vec_fini(stages->heap, &stages->numbers);
  strands_fini(stages->order);
  heap_release(stages->heap, stages->order);
}

static void make_room(ForkOrder *stages, uint32_t thread) {
  if (thread == NONE) heap_give_up(stages->heap);
  while (stages->now.n <= thread) vec_push(stages->heap, &stages->now, STAGE_NONE);
  if (stages->numbers.n <= thread) vec_resize_zeroed(stages->heap, &stages->numbers, thread + 1);
}

static uint32_t add_life(ForkOrder *stages, uint32_t thread) {
  const Life fresh = {thread, stages->numbers.at[thread]};
  vec_push(stages->heap, &stages->lives, fresh);
  return strands_add(stages->order);
}

/* The next stage of the thread, after that other one, too, if there is one. */
static StageId add(ForkOrder *stages, uint32_t thread, uint32_t other, StageCause cause) {
  assert(thread < stages->now.n && (other == NONE || other < stages->stages.n));
  const StageId id = {stages->stages.n}, before = stages->now.at[thread];
  Stage stage = {.cause = cause};
  if (before.v != NONE) {
    stage.life = stages->stages.at[before.v].life;
    stage.index = stages->stages.at[before.v].index + 1;
  } else {
    stage.life = add_life(stages, thread);
  }
  if (other != NONE && stages->stages.at[other].life != stage.life) {
    const StrandPoint from = {stages->stages.at[other].life, stages->stages.at[other].index, 0};
    strands_add_edge(stages->order, stage.life, &(StrandEdge){stage.index, 0, from, NULL});
  }
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

void fork_order_close(ForkOrder *stages) { stages->is_closed = stages->stages.n <= FORK_ORDER_MOST; }

static const StrandPast *past_of(const ForkOrder *stages, Stage *stage) {
  if (!stage->has_past && stages->is_closed) {
    stage->past = strands_past(stages->order, stage->life, stage->index);
    stage->has_past = true;
  }
  return &stage->past;
}

bool fork_order_before(const ForkOrder *stages, StageId a, StageId b) {
  assert(a.v < stages->stages.n && b.v < stages->stages.n);
  const Stage *first = &stages->stages.at[a.v];
  Stage *second = &stages->stages.at[b.v];
  if (first->life == second->life) return first->index < second->index;
  return strand_past_of(past_of(stages, second), first->life) > first->index;
}

bool fork_order_concurrent(const ForkOrder *stages, StageId a, StageId b) {
  return fork_order_life(stages, a) != fork_order_life(stages, b) && !fork_order_before(stages, a, b) &&
         !fork_order_before(stages, b, a);
}
