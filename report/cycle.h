/* cycle.h: what model checking serializability found, and how it is told: as text and as JSON. docs/json.md has the JSON. */
#ifndef REPORT_CYCLE_H
#define REPORT_CYCLE_H

#include "ask/serializability.h"
#include "report/verdict.h"

void cycle_text(const CycleReport *report, TextStyle style, FILE *out);
void cycle_json(const CycleReport *report, FILE *out);

#endif
