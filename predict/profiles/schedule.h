/* schedule.h: an order of events that keeps given edges: a step by step account of how far each strand goes. */
#ifndef PREDICT_PROFILES_SCHEDULE_H
#define PREDICT_PROFILES_SCHEDULE_H

#include "predict/cycle.h"
#include "predict/strands.h"

/* Event `to` of a strand comes after `from`. */
typedef struct {
  uint32_t strand;
  uint64_t to;
  StrandPoint from;
} ScheduleEdge;

/* Of a strand: an event that is to be done. */
typedef struct {
  uint32_t strand;
  uint64_t event;
} ScheduleGoal;

/* What the order has to keep. The arrays stay the caller's. */
typedef struct {
  const Strand *strands; /* with their edges, each by `to`; an edge from strand UINT32_MAX can never be kept */
  uint32_t n_strands;
  const ScheduleEdge *more;
  uint32_t n_more;
} ScheduleOrder;

/* Goes to the goals one after the other, each time with what must come before. The steps, whose `thread` is a strand,
 * are appended. False if that is impossible; then something was appended, too. */
bool schedule_make(Heap *heap, const ScheduleOrder *order, const ScheduleGoal *goals, uint32_t n, Schedule *schedule);

#endif
