/* of_cycle.h: whether all runs of a program are serializable, as a Report. docs/json.md has the members. */
#ifndef REPORT_OF_CYCLE_H
#define REPORT_OF_CYCLE_H

#include "ask/serializability.h"
#include "report/report.h"

/* Of its JSON. */
#define OF_CYCLE_SCHEMA "causalcheck-serializable/2"

/* Into an empty report. The result lives as long as the report. */
void of_cycle(Report *report, const CycleReport *result);

#endif
