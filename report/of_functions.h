/* of_functions.h: which functions are atomic in a run, as a Report: a finding for each that is split, and a table.
 * docs/json.md has the members. */
#ifndef REPORT_OF_FUNCTIONS_H
#define REPORT_OF_FUNCTIONS_H

#include "ask/functions.h"
#include "report/report.h"

/* Into an empty report. `refine`: people get to read nothing but the names of the atomic functions, with commas.
 * `seconds` and `bytes` are for statistics. The result lives as long as the report. */
void of_functions(Report *report, const FunctionsReport *result, bool refine, double seconds, uint64_t bytes);

#endif
