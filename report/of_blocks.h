/* of_blocks.h: which marked blocks are causally atomic, as a Report. docs/json.md has the members. */
#ifndef REPORT_OF_BLOCKS_H
#define REPORT_OF_BLOCKS_H

#include "ask/atomicity.h"
#include "report/report.h"

/* Of its JSON. */
#define OF_BLOCKS_SCHEMA "causalcheck/2"

/* Into an empty report. The result lives as long as the report. */
void of_blocks(Report *report, const AtomicityReport *result);

#endif
