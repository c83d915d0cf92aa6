/* write_json.h: a report as JSON, docs/json.md. */
#ifndef REPORT_WRITE_JSON_H
#define REPORT_WRITE_JSON_H

#include "base/json.h"
#include "report/report.h"

/* Writes the whole text to a writer that has just been started, and finishes it. */
void json_write_result(const Report *report, Json *json);

#endif
