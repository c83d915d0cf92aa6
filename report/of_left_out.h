/* of_left_out.h: what a report says of suppressions. docs/json.md has the member. */
#ifndef REPORT_OF_LEFT_OUT_H
#define REPORT_OF_LEFT_OUT_H

#include "ask/left_out.h"
#include "report/report.h"

/* The member `suppressed`. */
void of_left_out_members(Members *members, const LeftOutReport *result);

/* Lines, if anything was left out, as suppressed or because it commutes. */
void of_left_out_line(Report *report, const LeftOutReport *result);

#endif
