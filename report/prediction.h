/* prediction.h: what tracepredict has to say: as text and as JSON (docs/json.md). */
#ifndef REPORT_PREDICTION_H
#define REPORT_PREDICTION_H

#include "ask/predicting.h"
#include "report/run_finding.h"

const char *prediction_verdict_name(Verdict verdict); /* "none", "predicted", "unknown" */

void prediction_text(Heap *heap, const PredictionReport *report, RunStyle style, FILE *out);
void prediction_json(Heap *heap, const PredictionReport *report, FILE *out);

#endif
