/* predicting.h: what tracepredict does, apart from its command line: from runs, or a program, to runs that are not serializable, all
 * of which have been judged. */
#ifndef TOOLS_PREDICTING_H
#define TOOLS_PREDICTING_H

#include "predict/play.h"
#include "report/prediction.h"
#include "tools/input.h"
#include "tools/run_input.h"
#include "trace/trace.h"

enum { PREDICTING_BUDGET = 50 * 1000 * 1000 };

typedef struct {
  const Spool *inputs; /* several: runs of one program */
  uint32_t n_inputs;
  TraceOptions trace;
  bool locks, all;
  uint64_t budget;     /* steps of a search */
  uint32_t max_threads; /* of a cycle; 0: any number */
  const WorkOptions *work;
  const InputOptions *input; /* of a program */
} PredictingOptions;

typedef struct {
  Heap *heap;
  Arena arena;
  PredictionReport report;
  PlayMaker *maker;     /* of recorded runs: has the names */
  Play first;           /* the first of the runs in the report */
  VEC(PredictedRun) runs;
  RunRemarks remarks;
  uint64_t transactions; /* distinct ones, for statistics; 0: not known */
  double seconds;
} PredictingResult;

/* False, with *err, if an input cannot be read, or (ERR_CHECK) if a run that was predicted is none or is serializable. */
bool predicting_runs(Heap *heap, const PredictingOptions *options, PredictingResult *result, Err *err);

/* Likewise of an SML program, the only input. Errors of the program have been printed where *err has an empty text. */
bool predicting_program(Heap *heap, const PredictingOptions *options, PredictingResult *result, Err *err);
void predicting_fini(PredictingResult *result);

#endif
