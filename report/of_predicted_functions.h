/* of_predicted_functions.h: which functions can be split, as a Report: a finding for each that can be split here, and a
 * table. docs/json.md has the members. */
#ifndef REPORT_OF_PREDICTED_FUNCTIONS_H
#define REPORT_OF_PREDICTED_FUNCTIONS_H

#include "ask/predicting_functions.h"
#include "report/report.h"

/* Into an empty report. `refine`: people get to read nothing but the names of the functions that no run splits, with
 * commas. `seconds` and `bytes` are for statistics. The result lives as long as the report. */
void of_predicted_functions(Report *report, const PredictedFunctionsReport *result, bool refine, double seconds,
                            uint64_t bytes);

#endif
