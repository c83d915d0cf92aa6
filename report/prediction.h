/* prediction.h: what tracepredict has to say: as text and as JSON (docs/json.md). */
#ifndef REPORT_PREDICTION_H
#define REPORT_PREDICTION_H

#include "report/run_finding.h"

/* A part of a run in which one thread goes alone: its last event. Events are numbered as in what was recorded; those of a program are its steps. */
typedef struct {
  uint32_t thread, location;
  uint64_t event;
} PredictedLeg;

/* A run that is not serializable, and why. */
typedef struct {
  MonitorFinding finding;   /* transaction 0 is split */
  const bool *split;        /* per transaction of the finding */
  const TraceNames *names;
  const PredictedLeg *legs; /* the run */
  uint32_t n_legs;
} PredictedRun;

typedef struct {
  Verdict verdict;       /* VERDICT_HOLDS: there is no such run */
  const char *why;          /* of VERDICT_UNKNOWN, and where there may be more than was found; else NULL */
  const char *known;        /* what is known all the same, if the verdict is VERDICT_UNKNOWN, or was not asked; or NULL */
  bool locks;               /* they were respected */
  bool program;             /* of a program, not of a run */
  uint64_t events, threads, entities;
  const PredictedRun *runs;
  uint32_t n_runs;
  const TraceEvent *events_of_first; /* the first of the runs, */
  const uint64_t *origin_of_first;   /* and the number of each event in what was recorded; of a program: of the step that it belongs to */
  uint32_t n_first;
} PredictionReport;

const char *prediction_verdict_name(Verdict verdict); /* "none", "predicted", "unknown" */

void prediction_text(Heap *heap, const PredictionReport *report, RunStyle style, FILE *out);
void prediction_json(Heap *heap, const PredictionReport *report, FILE *out);

#endif
