/* steps.h: what a run has to follow so that a predicted violation happens, as the text of a plan (docs/confirming.md).
 */
#ifndef ASK_STEPS_H
#define ASK_STEPS_H

#include "ask/predicting.h"

/* Fills in result->report.steps, for each of its runs. Reads the run again, which has to be one. False, with *err, if
 * that cannot be done. */
bool steps_make(Heap *heap, const RunSource *source, PredictingResult *result, Err *err);

#endif
