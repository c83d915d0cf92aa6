/* predicting_inside.h: what the prediction of runs and that of programs share; for tools/predicting*.c alone. */
#ifndef ASK_PREDICTING_INSIDE_H
#define ASK_PREDICTING_INSIDE_H

#include "ask/predicting.h"
#include "check/run_judge.h"

/* Begin makes an empty result on the heap. End points the report at the runs and events that were collected, and
 * takes the time: `start` is what clock_seconds() said at the beginning. */
void predicting_begin(PredictingResult *result, Heap *heap);
void predicting_end(PredictingResult *result, double start);

/* The events as the judges see them; the heap's. */
JudgeEvent *predicting_events(Heap *heap, const TraceEvent *events, uint64_t n);

/* Adds the play, which it takes over, to the report, if the cycle, in the play's numbers, stands before the judge
 * and the monitor. Of the play's events the judge takes those for none whose origin is in the set `left_out`; NULL: it
 * is empty. */
bool predicting_add(Heap *heap, PredictingResult *result, Play *play, const uint64_t *left_out,
                    const MonitorFinding *cycle, Err *err);

#endif
