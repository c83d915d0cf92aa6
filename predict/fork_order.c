#include "predict/fork_order.h"

#include <assert.h>

#define NONE UINT32_MAX

void fork_order_init(ForkOrder *stages, Heap *heap) {
  *stages = (ForkOrder){.heap = heap, .order = heap_alloc(heap, sizeof *stages->order)};
  stages->n_known = heap_zeroed(heap, sizeof *stages->n_known);
  *stages->order = (Strands){.heap = heap};
}

void fork_order_fini(ForkOrder *stages) {
  vec_fini(stages->heap, &stages->stages);
  vec_fini(stages->heap, &stages->lives);
  vec_fini(stages->heap, &stages->now);
  vec_fini(stages->heap, &stages->numbers);
  for (uint32_t i = 0; i < stages->handovers.n; i++) vec_fini(stages->heap, &stages->handovers.at[i].signals);
  vec_fini(stages->heap, &stages->handovers);
  strands_fini(stages->order);
  heap_release(stages->heap, stages->order);
  heap_release(stages->heap, stages->n_known);
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

/* The stage of the thread comes after that other one. */
static void put_after(ForkOrder *stages, const Stage *stage, uint32_t other) {
  if (stages->stages.at[other].life == stage->life) return;
  const StrandPoint from = {stages->stages.at[other].life, stages->stages.at[other].index, 0};
  strands_add_edge(stages->order, stage->life, &(StrandEdge){stage->index, 0, from});
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
  if (other != NONE) put_after(stages, &stage, other);
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

static Handover *handover_of(ForkOrder *stages, uint32_t object) {
  if (object >= stages->handovers.n) vec_resize_zeroed(stages->heap, &stages->handovers, object + 1);
  return &stages->handovers.at[object];
}

void fork_order_signal(ForkOrder *stages, uint32_t thread, uint32_t object) {
  const StageId from = fork_order_of(stages, thread);
  Handover *handover = handover_of(stages, object);
  if (handover->waited) vec_clear(&handover->signals), *handover = (Handover){.signals = handover->signals};
  if (handover->signals.n)
    handover->several |= fork_order_life(stages, handover->signals.at[0]) != fork_order_life(stages, from);
  vec_push(stages->heap, &handover->signals, from);
  add(stages, thread, NONE, STAGE_BY_SIGNAL);
}

static StrandPoint point_of(const ForkOrder *stages, StageId stage) {
  const Stage *it = &stages->stages.at[stage.v];
  return (StrandPoint){it->life, it->index, 0};
}

enum { FEW = 2 }; /* signals that need no hub */

static void make_hub(ForkOrder *stages, Handover *handover) {
  const uint32_t hub = strands_add_hub(stages->order);
  for (uint32_t i = 0; i < handover->signals.n; i++)
    strands_join_hub(stages->order, hub, point_of(stages, handover->signals.at[i]));
  handover->hub = hub + 1;
}

/* Edges from all signals to the first one that waits; to the others from a hub. */
void fork_order_wait(ForkOrder *stages, uint32_t thread, uint32_t object) {
  const uint32_t life = fork_order_life(stages, fork_order_of(stages, thread));
  Handover *handover = handover_of(stages, object);
  const bool again = handover->waited;
  handover->waited = true;
  if (!handover->several && (!handover->signals.n || fork_order_life(stages, handover->signals.at[0]) == life)) return;
  const StageId id = add(stages, thread, NONE, STAGE_BY_WAIT);
  const Stage now = stages->stages.at[id.v];
  if (again && !handover->hub && handover->signals.n > FEW) make_hub(stages, handover);
  const StrandEdge edge = {now.index, 0, {STRANDS_HUB, handover->hub - 1, 0}};
  if (handover->hub) strands_add_edge(stages->order, now.life, &edge);
  for (uint32_t i = 0; i < handover->signals.n && !handover->hub; i++)
    put_after(stages, &now, handover->signals.at[i].v);
}

void fork_order_close(ForkOrder *stages) {
  stages->is_closed = strands_room(stages->order) <= FORK_ORDER_MOST_ROOM || stages->stages.n <= FORK_ORDER_MOST;
}

/* Each row is made from those before it. */
static const StrandPast *past_of(const ForkOrder *stages, StageId id) {
  for (uint32_t *i = stages->n_known; stages->is_closed && *i <= id.v; ++*i) {
    Stage *stage = &stages->stages.at[*i];
    stage->past = strands_past(stages->order, stage->life, stage->index);
  }
  return &stages->stages.at[id.v].past;
}

bool fork_order_before(const ForkOrder *stages, StageId a, StageId b) {
  assert(a.v < stages->stages.n && b.v < stages->stages.n);
  const Stage *first = &stages->stages.at[a.v], *second = &stages->stages.at[b.v];
  if (first->life == second->life) return first->index < second->index;
  return strand_past_of(stages->order, past_of(stages, b), first->life) > first->index;
}

bool fork_order_concurrent(const ForkOrder *stages, StageId a, StageId b) {
  return fork_order_life(stages, a) != fork_order_life(stages, b) && !fork_order_before(stages, a, b) &&
         !fork_order_before(stages, b, a);
}
