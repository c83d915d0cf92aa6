/* predicting_inside.h: what the prediction of runs and that of programs share; for tools/predicting*.c alone. */
#ifndef ASK_PREDICTING_INSIDE_H
#define ASK_PREDICTING_INSIDE_H

#include "ask/predicting.h"
#include "check/run_judge.h"

/* Begin makes an empty result on the heap. End points the report at the runs and events that were collected, and
 * takes the time: `start` is what clock_seconds() said at the beginning. */
void predicting_begin(PredictingResult *result, Heap *heap);
void predicting_end(PredictingResult *result, double start);

/* A JudgeRecorded: event `number` of an array of TraceEvents, as the judges see it. */
JudgeEvent predicting_event(const void *events, uint64_t number);

/* What the judge is told of events, by their origin; each may be NULL. */
typedef struct {
  const uint64_t *left_out; /* a set: those that are none */
  const uint32_t *calls;    /* per event: the call that it is in (run_judge_see_call) */
} PredictingTold;

/* Adds the play, which it takes over, to the report, if the cycle, in the play's numbers, stands before the judge
 * and the monitor. */
bool predicting_add(Heap *heap, PredictingResult *result, Play *play, const PredictingTold *told,
                    const MonitorFinding *cycle, Err *err);

#endif
