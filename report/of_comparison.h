/* of_comparison.h: what each analysis says of a run, as one table: a line per transaction of the source, a column per
 * analysis. */
#ifndef REPORT_OF_COMPARISON_H
#define REPORT_OF_COMPARISON_H

#include "ask/comparing.h"
#include "report/report.h"

/* Into an empty report. The result lives as long as the report. */
void of_comparison(Report *report, const Comparison *result);

#endif
