/* of_predicted_functions.h: which functions can be split, as a Report: a finding for each that can be split here, and a
 * table. docs/json.md has the members. */
#ifndef REPORT_OF_PREDICTED_FUNCTIONS_H
#define REPORT_OF_PREDICTED_FUNCTIONS_H

#include "ask/predicting_functions.h"
#include "report/report.h"

/* Into an empty report. `seconds` and `bytes` are for statistics. The result lives as long as the report. */
void of_predicted_functions(Report *report, const PredictedFunctionsReport *result, double seconds, uint64_t bytes);

#endif
