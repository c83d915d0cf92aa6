/* of_prediction.h: runs that are predicted, as a Report. docs/json.md has the members. */
#ifndef REPORT_OF_PREDICTION_H
#define REPORT_OF_PREDICTION_H

#include "ask/predicting.h"
#include "report/report.h"

/* Of its JSON. */
#define OF_PREDICTION_SCHEMA "tracepredict/2"

/* Into an empty report. `transactions`, `seconds` and `bytes` are for statistics. The result lives as long as the
 * report. */
void of_prediction(Report *report, const PredictionReport *result, uint64_t transactions, double seconds,
                   uint64_t bytes);

/* A step file (docs/confirming.md), with a plan for each of its runs. The steps were asked for. */
const char *of_prediction_steps(Arena *arena, const PredictionReport *result);

/* The finding of its first run, and the members of that. */
Finding of_prediction_finding(Arena *arena, const PredictionReport *result, bool brief);
void of_prediction_members(Members *members, const PredictionReport *result);

#endif
