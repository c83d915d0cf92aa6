/* What an event needs is done first, depth first. A strand that waits for another one may be needed by it, up to an
 * event before the one at which it waits: all that comes before that is there already. */
#include "predict/profiles/schedule.h"

#include <assert.h>

#define NOT_WAITING UINT64_MAX

/* Of a strand, as far as it has come. */
typedef struct {
  uint64_t done;       /* events below this one are */
  uint64_t waiting_at; /* the event before which it waits */
  uint32_t n_kept;     /* edges into it, in their order, that need no more look */
} Lane;

typedef struct {
  Heap *heap;
  const ScheduleOrder *order;
  Lane *lanes;
  bool *kept; /* per edge of order->more */
  VEC(ScheduleGoal) stack;
  Schedule *schedule;
} Maker;

/* The next edge into the strand, at or before `until`, that was not looked at. */
static bool next_edge(const Maker *m, uint32_t strand, uint64_t until, uint64_t *to, StrandPoint *from, bool **kept) {
  const Strand *it = &m->order->strands[strand];
  const uint32_t i = m->lanes[strand].n_kept;
  *to = UINT64_MAX;
  *kept = NULL;
  if (i < it->edges.n) *to = it->edges.at[i].to, *from = it->edges.at[i].from;
  for (uint32_t k = 0; k < m->order->n_more; k++) {
    const ScheduleEdge *edge = &m->order->more[k];
    if (edge->strand == strand && !m->kept[k] && edge->to < *to)
      *to = edge->to, *from = edge->from, *kept = &m->kept[k];
  }
  return *to <= until;
}

static void step(Maker *m, const ScheduleGoal *goal) {
  Schedule *schedule = m->schedule;
  assert(m->lanes[goal->strand].done <= goal->event);
  m->lanes[goal->strand].done = goal->event + 1;
  if (schedule->n && vec_last(schedule).thread == goal->strand) vec_last(schedule).until = goal->event;
  else vec_push(m->heap, schedule, ((ScheduleStep){goal->strand, goal->event}));
}

/* Goes on towards the goal on top. False if it cannot be reached. */
static bool advance(Maker *m) {
  const ScheduleGoal goal = vec_last(&m->stack);
  assert(goal.strand < m->order->n_strands);
  Lane *lane = &m->lanes[goal.strand];
  uint64_t to;
  StrandPoint from = {0};
  bool *kept;
  lane->waiting_at = NOT_WAITING;
  if (lane->done > goal.event) return m->stack.n--, true;
  if (!next_edge(m, goal.strand, goal.event, &to, &from, &kept)) return m->stack.n--, step(m, &goal), true;
  if (from.strand >= m->order->n_strands) return false;
  Lane *other = &m->lanes[from.strand];
  const ScheduleGoal need = {from.strand, from.event};
  if (other->done > from.event) {
    if (kept) *kept = true;
    else lane->n_kept++;
  } else if (other->waiting_at != NOT_WAITING) {
    if (from.event >= other->waiting_at) return false;
    step(m, &need);
  } else {
    if (from.strand == goal.strand) return false;
    lane->waiting_at = to;
    vec_push(m->heap, &m->stack, need);
  }
  return true;
}

bool schedule_make(Heap *heap, const ScheduleOrder *order, const ScheduleGoal *goals, uint32_t n, Schedule *schedule) {
  Maker m = {.heap = heap, .order = order, .schedule = schedule};
  bool good = true;
  m.lanes = heap_zeroed(heap, heap_product(heap, order->n_strands, sizeof *m.lanes));
  m.kept = heap_zeroed(heap, order->n_more * sizeof *m.kept);
  for (uint32_t i = 0; i < order->n_strands; i++) m.lanes[i].waiting_at = NOT_WAITING;
  for (uint32_t i = 0; i < n && good; i++) {
    vec_push(heap, &m.stack, goals[i]);
    while (m.stack.n && good) good = advance(&m);
  }
  vec_fini(heap, &m.stack);
  heap_release(heap, m.lanes);
  heap_release(heap, m.kept);
  return good;
}
